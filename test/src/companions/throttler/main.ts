/** Starts one application for each variant and tells their ports. Argument: URL of the Redis. */
import 'reflect-metadata';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { RedisLockModule } from 'nestjs-redis-lock';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Calls } from '../calls.js';
import { variants, type Variant } from '../variants.js';
import { COMMON, ticketController } from './ticket.controller.js';

class AppModule {}

async function portOf(variant: Variant): Promise<number> {
  const module = {
    module: AppModule,
    imports: [
      ThrottlerModule.forRoot([COMMON]),
      RedisLockModule.forRoot({ connection: process.argv[2], logger: false }),
    ],
    controllers: [ticketController(variant)],
    providers: [Calls, { provide: APP_GUARD, useClass: ThrottlerGuard }],
  };
  const app = await NestFactory.create(module, { logger: false });
  await app.listen(0, '127.0.0.1');
  return ((app.getHttpServer() as Server).address() as AddressInfo).port;
}

// The test is gone.
process.on('disconnect', () => process.exit());
process.send?.(await Promise.all(variants('ticket:<0>').map(portOf)));
