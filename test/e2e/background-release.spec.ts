import { describe, expect, it } from '@jest/globals';
import { RedisLockModule, type RedisLockModuleOptions } from 'nestjs-redis-lock';
import request from 'supertest';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { fallingFences, overlaps } from '../helpers/intervals.js';
import { useProcesses } from '../helpers/lock-process.js';
import { useProcessEvents } from '../helpers/process-events.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { startApp, stopApp } from '../helpers/start-app.js';
import { useRedis, useRedisProcess } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { watch } from '../helpers/watch.js';
import { BackgroundController, BeforeAnswer } from '../src/background/background.controller.js';

async function start(options: RedisLockModuleOptions) {
  const logger = new RecordingLogger();
  const app = await startApp({
    imports: [RedisLockModule.forRoot({ logger, ...options })],
    controllers: [BackgroundController],
    providers: [BeforeAnswer],
  });
  const get = async (path: string) => (await request(app.getHttpServer()).get(`/background/${path}`)).text;
  return { app, get, logger, before: app.get(BeforeAnswer) };
}

const PATHS = ['handler', 'intercepted'];

describe('Releases in the background', () => {
  const redis = useRedis();
  const processes = useProcesses(2, redis);

  it('should keep sections apart, in one process and in two, and leave nothing behind', async () => {
    const work = {
      key: 'k',
      callers: 4,
      each: 60,
      hold: 0,
      options: { releaseMode: 'background', wait: '1m' },
    } as const;
    const sections = (await Promise.all(processes.map((process) => process.call('sections', work)))).flat();
    expect(sections).toHaveLength(480);
    expect(overlaps(sections)).toEqual([]);
    expect(fallingFences(sections)).toEqual([]);
    await waitUntil(async () => (await redis.keys()).length === 0, 'the last release');
  });

  it('should have at most so many in a semaphore, too', async () => {
    const work = { key: 'k', limit: 1, callers: 4, each: 30, hold: 1 };
    const options = { releaseMode: 'background', wait: '1m' } as const;
    const call = (process: (typeof processes)[number]) => process.call('sections', { ...work, options });
    const sections = (await Promise.all(processes.map(call))).flat();
    expect(sections).toHaveLength(240);
    expect(overlaps(sections)).toEqual([]);
    await waitUntil(async () => (await redis.keys()).length === 0, 'the last release');
  });
});

describe('A release in the background and a server that stands still', () => {
  const redis = useRedisProcess();

  it.each(PATHS)('should not keep the answer of a request back: %s', async (path) => {
    const { app, get, logger, before } = await start({ connection: redis.url, commandTimeout: '1m' });
    before.run = () => process.kill(redis.pid, 'SIGSTOP');
    try {
      expect(await get(path)).toBe('answered');
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    await stopApp(app);
    expect(await redis.keys()).toEqual([]);
    expect(logger.warnings).toEqual([]);
  });
});

describe('A release in the background and the end of the application [BC-20]', () => {
  const redis = useRedis();
  const proxy = useFaultProxy(redis);
  const processEvents = useProcessEvents();

  it.each(PATHS)('should be waited for, although its request has been answered: %s', async (path) => {
    const { app, get, logger, before } = await start({ connection: proxy.url });
    let requests: ReturnType<typeof proxy.hold> | undefined;
    before.run = () => void (requests = proxy.hold('requests', { of: 'commands' }));
    expect(await get(path)).toBe('answered');
    const closing = stopApp(app);
    const closed = watch(closing);
    await waitUntil(() => requests?.pieces === 1 || closed(), 'the release on its way');
    // Long enough for a shutdown that does not wait.
    for (let i = 0; i < 20; i++) expect(await redis.keys()).toEqual([`lock:${path}`]);
    expect(closed()).toBe(false);
    requests?.letGo();
    await closing;
    expect(await redis.keys()).toEqual([]);
    expect(logger.warnings).toEqual([]);
  });

  it('should end in time where nothing answers, with a line in the log and nothing unhandled', async () => {
    const { app, get, logger, before } = await start({ connection: proxy.url, commandTimeout: 300 });
    before.run = () => void proxy.blackhole();
    expect(await get('handler')).toBe('answered');
    await stopApp(app);
    expect(logger.warnings.filter((text) => text.includes('could not be released'))).toHaveLength(1);
    expect(processEvents.seen).toEqual([]);
  });
});
