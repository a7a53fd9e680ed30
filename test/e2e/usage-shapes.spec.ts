import { describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { LockOptionsError, LockService, RedisLockModule, WithLock } from 'nestjs-redis-lock';
import { createHash } from 'node:crypto';
import request from 'supertest';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { Overlap } from '../src/controllers/overlap.js';
import { ImportService, NightlyService, NoteService, SignUpService } from '../src/shapes/accounts.js';
import { TokenController } from '../src/shapes/token.controller.js';

const redis = useRedis();
const TOKEN = 'eyJhbGciOi.top-secret';

async function start() {
  const logger = new RecordingLogger();
  const locks = RedisLockModule.forRoot({ connection: redis.url, shutdownTimeout: 0, logger });
  const app = await startApp(
    {
      imports: [locks, ScheduleModule.forRoot()],
      controllers: [TokenController],
      providers: [Overlap, SignUpService, ImportService, NoteService, NightlyService],
    },
    undefined,
    { logger },
  );
  return { app, logger, http: request(app.getHttpServer()), locks: app.get(LockService) };
}

describe('An endpoint that refreshes tokens, with the token as key', () => {
  it('should keep what all its decorators say', async () => {
    const { app, http } = await start();
    const response = await http.post('/tokens/refresh').set('User-Agent', 'me').send({ token: TOKEN }).expect(200);
    expect(response.body).toEqual({ agent: 'me' });
    expect(response.headers['set-cookie']).toEqual([expect.stringContaining(`after-${TOKEN}`)]);

    const handler = TokenController.prototype.refresh;
    expect(Reflect.getMetadata('public', handler)).toBe(true);
    expect(Reflect.getMetadata('method', handler)).toBe(RequestMethod.POST);
    const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    expect(paths['/tokens/refresh']?.post).toMatchObject({ summary: 'refresh', responses: { 200: expect.anything() } });
  });

  it('should not show the token to a client nor to a log when it is busy [BC-83]', async () => {
    const { http, locks, logger } = await start();
    await locks.acquire(`refresh:${TOKEN}`);
    expect(await redis.keys()).toEqual([`lock:refresh:${TOKEN}`]);
    const response = await http.post('/tokens/refresh').send({ token: TOKEN }).expect(423);
    expect(JSON.stringify([response.body, response.headers])).not.toContain('top-secret');
    expect(JSON.stringify(logger.lines)).not.toContain('top-secret');
  });

  it('should not even show it in Redis when the key is a digest of it [BC-83]', async () => {
    const { http, locks } = await start();
    await http.post('/tokens/hashed').send({ token: TOKEN }).expect(200);
    await locks.acquire(`refresh:${createHash('sha256').update(TOKEN).digest('base64url')}`);
    expect((await redis.keys()).join()).not.toContain('top-secret');
    await http.post('/tokens/hashed').send({ token: TOKEN }).expect(423);
    await http.post('/tokens/hashed').send({ token: 'another' }).expect(200);
  });
});

describe('A job whose ttl was meant as seconds', () => {
  it('should run, with a warning that says how to write seconds [BC-35]', async () => {
    const { app, logger } = await start();
    const nightly = app.get(NightlyService);
    await app.get(SchedulerRegistry).getCronJob('nightly').fireOnTick();
    await waitUntil(() => nightly.log.includes('commit'), 'the commit');
    expect(nightly.log).toEqual(['begin', 'work', 'commit']);
    expect(logger.warnings).toEqual([expect.stringMatching(/NightlyService\.run: ttl is 600 ms; .*'600s'/)]);
  });

  it('should be skipped while another process does it', async () => {
    const { app, locks } = await start();
    await locks.acquire('nightly');
    expect(await app.get(NightlyService).run()).toBeUndefined();
    expect(app.get(NightlyService).log).toEqual([]);
  });

  it('should be refused at its decoration when that is too short for any lease [BC-35]', () => {
    const decorate = () => {
      class Job {
        @WithLock('job', { onBusy: 'skip', ttl: 60 })
        async run(): Promise<void> {}
      }
      return Job;
    };
    expect(decorate).toThrow(LockOptionsError);
    expect(decorate).toThrow(/Job\.run: ttl is 60; .*100/);
  });
});

describe('One constant key on two services', () => {
  it('should let both in one by one', async () => {
    const { app } = await start();
    const [signUp, imports] = [app.get(SignUpService), app.get(ImportService)];
    const names = Array.from({ length: 10 }, (_, i) => `user ${i}`);
    const created = await Promise.all(names.map((name, i) => (i % 2 ? signUp : imports).create(name)));
    expect(created).toEqual(names);
    expect(app.get(Overlap)).toMatchObject({ entered: 10, most: 1 });
  });
});

describe('A key that is a path', () => {
  it('should take spaces, slashes and letters of all kinds, and tell two forms of one letter apart', async () => {
    const { app } = await start();
    const notes = app.get(NoteService);
    const path = 'notes/2024 plan/ä b.md';
    const keys = (name: string) => notes.save(name, () => redis.keys());
    const [composed] = await keys(path.normalize('NFC'));
    const [decomposed] = await keys(path.normalize('NFD'));
    expect(composed).toBe('lock:note:notes/2024%20plan/ä%20b.md'.normalize('NFC'));
    expect(decomposed).not.toBe(composed);
    expect(await redis.keys()).toEqual([]);
  });
});
