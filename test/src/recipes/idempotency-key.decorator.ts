import { BadRequestException, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const key = context.switchToHttp().getRequest<Request>().get('idempotency-key');
  if (!key) throw new BadRequestException('The header Idempotency-Key is missing.');
  return key;
});
