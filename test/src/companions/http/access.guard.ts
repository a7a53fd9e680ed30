import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';

/** Kept in both ways that Nest has for metadata of one's own. */
export const Roles = (...roles: string[]) => SetMetadata('roles', roles);
export const Scope = Reflector.createDecorator<string>();

/** Lets everybody in where no metadata says otherwise, so a decorator that loses metadata opens the door. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { role, scope } = context
      .switchToHttp()
      .getRequest<Request<object, unknown, unknown, Record<string, string>>>().query;
    const at = [context.getHandler(), context.getClass()];
    const roles = this.reflector.getAllAndMerge<string[]>('roles', at);
    const needed = this.reflector.get(Scope, context.getHandler()) as string | undefined;
    return (roles.length === 0 || roles.includes(role ?? '')) && (needed === undefined || needed === scope);
  }
}
