import { Args, Mutation, Parent, Query, ResolveField, Resolver, ObjectType, Field } from '@nestjs/graphql';
import { currentLease, WithLock } from 'nestjs-redis-lock';
import { Overlap } from '../controllers/overlap.js';

@ObjectType()
export class Order {
  @Field(() => String)
  id: string;

  @Field(() => String)
  total?: string;
}

@Resolver(() => Order)
export class OrdersResolver {
  constructor(private readonly overlap: Overlap) {}

  @Query(() => String)
  @WithLock('order:<0>')
  async lockBelow(@Args('id', { type: () => String }) _id: string): Promise<string> {
    return this.overlap.work(String(currentLease()?.key));
  }

  @WithLock('order:<0>')
  @Mutation(() => String)
  async lockAbove(@Args('id', { type: () => String }) _id: string): Promise<string> {
    return this.overlap.work(String(currentLease()?.key));
  }

  @Query(() => [Order])
  orders(): Order[] {
    return Array.from({ length: 5 }, () => ({ id: '7' }));
  }

  @ResolveField(() => String)
  @WithLock('order:<0.id>')
  async total(@Parent() _order: Order): Promise<string> {
    return this.overlap.work(String(currentLease()?.key));
  }
}
