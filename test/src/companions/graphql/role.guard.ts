import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { GqlExecutionContext } from '@nestjs/graphql';
import type { Request } from 'express';

export interface GraphqlContext {
  req: Request;
}

export const Role = (role: string) => SetMetadata('role', role);

/** Lets everybody in where no metadata says otherwise. */
@Injectable()
export class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { req } = GqlExecutionContext.create(context).getContext<GraphqlContext>();
    const needed = this.reflector.get<string | undefined>('role', context.getHandler());
    return needed === undefined || req.get('x-role') === needed;
  }
}
