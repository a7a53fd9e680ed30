import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { UseGuards, UseInterceptors } from '@nestjs/common';
import { currentLease, LockInterceptor, WithLock } from 'nestjs-redis-lock';
import { Workshop } from '../disconnect/workshop.js';
import { LockingGuard } from '../http-errors/locking.enhancers.js';

@Resolver()
export class OrdersResolver {
  constructor(private readonly workshop: Workshop) {}

  @Mutation(() => String)
  @WithLock('secret:<0>', { wait: 0 })
  async pay(@Args('id') id: string): Promise<string> {
    return `${id} under ${currentLease()?.key}`;
  }

  /** `<0>` is the parent, `<1>` the arguments. */
  @Query(() => String)
  @UseInterceptors(LockInterceptor.with('secret:<1.id>', { wait: 0 }))
  order(@Args('id') id: string): string {
    return `${id} under ${currentLease()?.key}`;
  }

  @Query(() => String)
  @UseGuards(LockingGuard)
  guarded(@Args('id') id: string): string {
    return id;
  }

  @Query(() => String)
  @UseInterceptors(LockInterceptor.with('secret:<1.id>', { wait: '1m', abortOnDisconnect: true }))
  async patient(@Args('id') _id: string): Promise<string> {
    return this.workshop.work();
  }
}
