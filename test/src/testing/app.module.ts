import { Module } from '@nestjs/common';
import { RedisLockModule } from 'nestjs-redis-lock';
import { Bank, OrderService } from './order.service.js';

export const locks = RedisLockModule.forRoot({ connection: process.env['REDIS_URL'] ?? 'redis://localhost:6379' });

@Module({ imports: [locks], providers: [OrderService, Bank] })
export class AppModule {}
