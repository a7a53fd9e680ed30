// A replica with scheduled jobs, ticked by its parent: `{ tick: name, after: ms }`. Argument: URL of the server.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Redis } from 'ioredis';
import { RedisLockModule } from 'nestjs-redis-lock';
import { setTimeout as sleep } from 'node:timers/promises';
import { EagerReportService, NightlyReportService } from '../../src/recipes/nightly-report.service.js';
import { Reports } from '../../src/recipes/reports.js';

const [url = ''] = process.argv.slice(2);

@Module({
  imports: [RedisLockModule.forRoot({ connection: url, logger: false }), ScheduleModule.forRoot()],
  providers: [NightlyReportService, EagerReportService, Reports, { provide: Redis, useFactory: () => new Redis(url) }],
})
class ReplicaModule {}

const app = await NestFactory.createApplicationContext(ReplicaModule, { logger: false });
const jobs = app.get(SchedulerRegistry).getCronJobs();
// So that the parent hears of the end of a run, not of its begin.
for (const job of jobs.values()) job.waitForCompletion = true;
process.on('message', ({ tick, after }: { tick: string; after: number }) => {
  void sleep(after)
    .then(() => jobs.get(tick)?.fireOnTick())
    .then(() => process.send?.({ event: 'ticked' }));
});
process.on('disconnect', () => process.exit());
process.send?.({ event: 'ready' });
