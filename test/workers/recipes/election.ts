// A replica that stands for election. Argument: URL of the server.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { RedisLockModule } from 'nestjs-redis-lock';
import { Duties } from '../../src/recipes/duties.js';
import { ElectionService } from '../../src/recipes/election.service.js';

const [url = ''] = process.argv.slice(2);

@Module({
  imports: [RedisLockModule.forRoot({ connection: url, logger: false })],
  providers: [ElectionService, Duties],
})
class ReplicaModule {}

const app = await NestFactory.createApplicationContext(ReplicaModule, { logger: false });
app.enableShutdownHooks();
process.on('disconnect', () => process.exit());
process.send?.({ event: 'ready' });
