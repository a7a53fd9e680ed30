import { UseGuards, type Type } from '@nestjs/common';
import { Args, Context, Info, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { Calls } from '../calls.js';
import type { Variant } from '../variants.js';
import { Item } from './item.type.js';
import { Role, RoleGuard, type GraphqlContext } from './role.guard.js';

export function itemResolver({ above, below }: Pick<Variant, 'above' | 'below'>): Type<unknown> {
  @Resolver(() => Item)
  class ItemResolver {
    constructor(private readonly calls: Calls) {}

    @above
    @Query(() => Item)
    @below
    async item(@Args('id') id: string): Promise<Item> {
      return this.calls.run({ id }, 'item', id);
    }

    /** For those who want only its fields. */
    @Query(() => Item)
    bare(@Args('id') id: string): Item {
      return { id };
    }

    @above
    @Mutation(() => String, { name: 'payItem', description: 'pays' })
    @below
    async pay(
      @Args('id') id: string,
      @Args('amount', { type: () => Int, defaultValue: 5 }) amount: number,
      @Context() context: GraphqlContext,
      @Info() { fieldName }: GraphQLResolveInfo,
    ): Promise<string> {
      return this.calls.run(`${id} paid ${amount}`, 'pay', id, amount, context.req.get('x-client'), fieldName);
    }

    @above
    @ResolveField(() => Int, { complexity: 2 })
    @below
    async price(@Parent() item: Item, @Args('days', { type: () => Int }) days: number): Promise<number> {
      return this.calls.run(days * 2, 'price', item, days);
    }

    @above
    @UseGuards(RoleGuard)
    @Role('owner')
    @ResolveField(() => String, { nullable: true })
    @below
    async secret(@Parent() item: Item): Promise<string> {
      return this.calls.run(`secret of ${item.id}`, 'secret', item);
    }

    @above
    @Role('owner')
    @Query(() => String, { nullable: true })
    @UseGuards(RoleGuard)
    @below
    async audit(@Args('id') id: string): Promise<string> {
      return this.calls.run(`audit of ${id}`, 'audit', id);
    }
  }
  return ItemResolver;
}
