import { Controller, Get, Param, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { currentLease, lockKey, LockInterceptor } from 'nestjs-redis-lock';
import { Overlap } from '../controllers/overlap.js';
import { UserGuard } from './user.guard.js';

/** Two handlers that must not run together where the key of the controller is the same. */
class Handlers {
  constructor(private readonly overlap: Overlap) {}

  @Get('read')
  async read(@Param('id') _id: string): Promise<string> {
    return this.overlap.work(`${currentLease()?.key}`);
  }

  @Post('write')
  async write(): Promise<string> {
    return this.overlap.work(`${currentLease()?.key}`);
  }
}

@Controller('params/:id')
@UseInterceptors(LockInterceptor.with('order:<0.params.id>'))
export class ParamsController extends Handlers {
  constructor(overlap: Overlap) {
    super(overlap);
  }
}

@Controller('header/:id')
@UseInterceptors(LockInterceptor.with('tenant:<0.headers.x-tenant>'))
export class HeaderController extends Handlers {
  constructor(overlap: Overlap) {
    super(overlap);
  }
}

@Controller('user/:id')
@UseGuards(UserGuard)
@UseInterceptors(LockInterceptor.with('tenant:<0.user.tenant.id>'))
export class UserController extends Handlers {
  constructor(overlap: Overlap) {
    super(overlap);
  }
}

interface KeyedRequest {
  params: { id: string };
  headers: Record<string, string | undefined>;
}

@Controller('function/:id')
@UseInterceptors(
  LockInterceptor.with((request: KeyedRequest) => lockKey`${request.headers['x-tenant']}:${request.params.id}`),
)
export class FunctionController extends Handlers {
  constructor(overlap: Overlap) {
    super(overlap);
  }
}

/** For an interceptor on all handlers of the application. */
@Controller('everywhere/:id')
export class PlainController extends Handlers {
  constructor(overlap: Overlap) {
    super(overlap);
  }
}
