import { Controller, Get, Header, HttpCode, Post, UseGuards } from '@nestjs/common';
import { FairLock, Semaphore, WithLock } from 'nestjs-redis-lock';
import { DenyGuard } from './deny.guard.js';

/** As applications write them. */
function replaced(_target: object, _key: string, descriptor: TypedPropertyDescriptor<() => Promise<string>>): void {
  const original = descriptor.value as () => Promise<string>;
  const replacement = function (this: unknown): Promise<string> {
    return original.call(this);
  };
  for (const key of Reflect.getOwnMetadataKeys(original) as string[]) {
    Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, original), replacement);
  }
  descriptor.value = replacement;
}

/** Every combination of a lock with what Nest keeps on the function, the lock on either side. */
@Controller()
export class DecoratedController {
  @Get('guard-below')
  @WithLock('k')
  @UseGuards(DenyGuard)
  async guardBelow(): Promise<string> {
    return 'not guarded';
  }

  @Get('guard-above')
  @UseGuards(DenyGuard)
  @WithLock('k')
  async guardAbove(): Promise<string> {
    return 'not guarded';
  }

  @Get('replaced')
  @replaced
  @WithLock('k')
  @UseGuards(DenyGuard)
  async replaced(): Promise<string> {
    return 'not guarded';
  }

  @WithLock('k')
  @Get('route-below')
  async routeBelow(): Promise<string> {
    return 'found';
  }

  @Get('route-above')
  @WithLock('k')
  async routeAbove(): Promise<string> {
    return 'found';
  }

  @Post('code-below')
  @WithLock('k')
  @HttpCode(202)
  async codeBelow(): Promise<void> {}

  @Post('code-above')
  @HttpCode(202)
  @WithLock('k')
  async codeAbove(): Promise<void> {}

  @FairLock('k')
  @Header('X-Test', 'below')
  @Get('header-below')
  async headerBelow(): Promise<void> {}

  @Header('X-Test', 'above')
  @Get('header-above')
  @Semaphore(1, 'k')
  async headerAbove(): Promise<void> {}
}
