import { Field, ID, ObjectType } from '@nestjs/graphql';
import { lockKey } from 'nestjs-redis-lock';

@ObjectType()
export class Item {
  @Field(() => ID)
  id: string;
}

/** Queries and mutations start with the id, fields with the item that they are of. */
export const keyOfItem = (item: string | Item): string => lockKey`item:${typeof item === 'string' ? item : item.id}`;
