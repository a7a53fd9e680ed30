import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { RedisLockModule, Semaphore, WithLock } from 'nestjs-redis-lock';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { Controller, Get, Param } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { readImages } from '../../tools/containers/images.mjs';
import { startProcesses } from '../helpers/lock-process.js';
import { startApp } from '../helpers/start-app.js';
import { useContainer } from '../helpers/use-container.js';

@Injectable()
class Desk {
  inside = 0;
  most = 0;

  @WithLock('order:<0>')
  pay(order: string): Promise<string> {
    return this.work(order);
  }

  @Semaphore(2, 'gateway')
  charge(order: string): Promise<string> {
    return this.work(order);
  }

  private async work(order: string): Promise<string> {
    this.most = Math.max(this.most, ++this.inside);
    await sleep(30);
    this.inside--;
    return order;
  }
}

@Controller()
class DeskController {
  constructor(private readonly desk: Desk) {}

  @Get('pay/:order')
  pay(@Param('order') order: string): Promise<string> {
    return this.desk.pay(order);
  }

  @Get('charge/:order')
  charge(@Param('order') order: string): Promise<string> {
    return this.desk.charge(order);
  }
}

describe.each(readImages())('an application on a container of $name', (image) => {
  const redis = useContainer(image);

  it.each([
    ['pay', 1],
    ['charge', 2],
  ])('lets requests to %s in, so many at a time: %i', async (path, limit) => {
    const connection = redis.url;
    const app = await startApp({
      imports: [RedisLockModule.forRoot({ connection, logger: false })],
      providers: [Desk],
      controllers: [DeskController],
    });
    const server = app.getHttpServer() as App;
    const calls = Array.from({ length: 8 }, () => request(server).get(`/${path}/42`).expect(200, '42'));
    await Promise.all(calls);
    expect(app.get(Desk).most).toBe(limit);
    expect(await redis.keys()).toEqual([]);
  });

  it('takes turns with another process', async () => {
    const both = await startProcesses(2, redis);
    const work = { key: 'k', callers: 4, each: 5, hold: 2, options: { wait: '60s' as const } };
    const sections = (await Promise.all(both.map((one) => one.call('sections', work)))).flat();
    sections.sort((a, b) => a.entered - b.entered);
    expect(sections).toHaveLength(40);
    expect(new Set(sections.map(({ pid }) => pid)).size).toBe(2);
    sections.forEach(({ entered }, i) => expect(entered).toBeGreaterThanOrEqual(sections[i - 1]?.left ?? 0));
    expect(await redis.keys()).toEqual([]);
  });
});
