import {
  Controller,
  Get,
  Module,
  Param,
  UseGuards,
  UseInterceptors,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common';
import { LockInterceptor, WithLock } from 'nestjs-redis-lock';
import { Bookkeeper, LockingGuard, LockingInterceptor, LockingMiddleware, LockingPipe } from './locking.enhancers.js';

/** Everywhere in a request from where a lock can be asked for. The test holds the key `secret:account`. */
@Controller()
export class PlacesController {
  constructor(private readonly bookkeeper: Bookkeeper) {}

  @Get('handler')
  @WithLock('secret:account', { wait: 0 })
  async handler(): Promise<void> {}

  @Get('service')
  async service(): Promise<void> {
    await this.bookkeeper.write();
  }

  @Get('interceptor')
  @UseInterceptors(LockInterceptor.with('secret:account', { wait: 0 }))
  interceptor(): void {}

  @Get('own-interceptor')
  @UseInterceptors(LockingInterceptor)
  ownInterceptor(): void {}

  @Get('pipe/:id')
  pipe(@Param('id', LockingPipe) _id: string): void {}

  @Get('guard')
  @UseGuards(LockingGuard)
  guard(): void {}

  @Get('middleware')
  middleware(): void {}
}

@Controller('controller')
@UseInterceptors(LockInterceptor.with('secret:account', { wait: 0 }))
export class LockedPlace {
  @Get()
  get(): void {}
}

@Module({ controllers: [PlacesController, LockedPlace], providers: [Bookkeeper] })
export class PlacesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(LockingMiddleware).forRoutes('middleware');
  }
}

/** Where a request is inside the interceptors of the module. */
export const INSIDE = ['handler', 'service', 'interceptor', 'own-interceptor', 'pipe/1', 'controller'];
/** Where it has not come to them yet. */
export const BEFORE = ['guard', 'middleware'];
