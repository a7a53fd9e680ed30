import { describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastValueFrom, type Observable } from 'rxjs';
import { collectGarbage } from '../helpers/collect-garbage.js';
import { openLocks } from '../helpers/open-locks.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { watch } from '../helpers/watch.js';
import { FilesController } from '../src/results/files.controller.js';
import { ResultsService } from '../src/results/results.service.js';

const redis = useRedis();

async function start(): Promise<{ app: INestApplication; results: ResultsService; locks: LockService }> {
  const app = await startApp({
    imports: [RedisLockModule.forRoot({ connection: redis.url })],
    controllers: [FilesController],
    providers: [ResultsService],
  });
  return { app, results: app.get(ResultsService), locks: app.get(LockService) };
}

const isFree = async (): Promise<boolean> => (await redis.keys()).length === 0;
const untilFree = () => waitUntil(isFree, 'the release');

/** Everything a subscriber hears. */
function listen(stream: Observable<unknown>) {
  const heard: unknown[] = [];
  const subscription = stream.subscribe({
    next: (value) => heard.push(value),
    error: (error: Error) => heard.push(error.message),
    complete: () => heard.push('complete'),
  });
  return { heard, subscription };
}

describe('A locked method that gives a thenable', () => {
  it.each(['thenable', 'resolvesToThenable', 'inService'] as const)(
    'should hold its lock until that has settled, with its work inside: %s',
    async (method) => {
      const { results } = await start();
      const { locks } = await openLocks({ connection: redis.url });
      const result = Promise.resolve(results[method]());
      const settled = watch(result);
      await waitUntil(() => results.gates.length > 0 || settled(), 'the work behind a nested call');
      expect(await locks.tryAcquire('result')).toBeNull();
      expect(settled()).toBe(false);
      results.gates[0]?.();
      expect(await result).toEqual(['result', 'result']);
      expect(await isFree()).toBe(true);
    },
  );

  it('should give it back when that is rejected', async () => {
    const { results } = await start();
    await expect(Promise.resolve(results.refusingThenable())).rejects.toThrow('refused');
    expect(await isFree()).toBe(true);
  });
});

describe('A locked method that gives an Observable [BC-03]', () => {
  it('should take the lock for each subscription, and not before', async () => {
    const { results } = await start();
    const stream = results.short();
    expect(await isFree()).toBe(true);
    expect(await Promise.all([lastValueFrom(stream), lastValueFrom(stream)])).toEqual(['result', 'result']);
    expect(await isFree()).toBe(true);
  });

  it('should hold the lock of one that never ends until it is unsubscribed', async () => {
    const { results } = await start();
    const first = listen(results.endless());
    await waitUntil(() => first.heard.length > 0, 'a value');
    await expect(lastValueFrom(results.endless())).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    expect(first.heard).toEqual(['result']);
    first.subscription.unsubscribe();
    await untilFree();
  });

  it('should be free again when the error arrives', async () => {
    const { results } = await start();
    await expect(lastValueFrom(results.failing())).rejects.toThrow('failed');
    expect(await isFree()).toBe(true);
  });

  it('should lock each subscription to the one that a promise gave', async () => {
    const { results } = await start();
    const stream = await results.promisedObservable();
    expect(await isFree()).toBe(true);
    const first = listen(stream);
    await waitUntil(() => first.heard.length > 0, 'a value');
    await expect(lastValueFrom(stream)).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    await expect(results.promisedObservable()).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    first.subscription.unsubscribe();
    await untilFree();
    expect(first.heard).toEqual(['result']);
  });
});

describe('A locked async generator', () => {
  it('should take no lock as long as nobody asks for a value', async () => {
    const { results } = await start();
    await redis.client.config('RESETSTAT');
    results.generator();
    const other = results.generator();
    expect(await other.return(undefined)).toEqual({ done: true, value: undefined });
    expect([await redis.calls('set'), results.cleaned]).toEqual([0, 0]);
  });

  it.each<[string, (values: AsyncGenerator<unknown>) => Promise<unknown>]>([
    [
      'breaks off',
      async (values) => {
        for await (const value of values) return value;
        return undefined;
      },
    ],
    [
      'throws',
      async (values) => {
        for await (const value of values) throw new Error(String(value));
      },
    ],
    [
      'ends it',
      async (values) => {
        const { value } = await values.next();
        await values.return(undefined);
        return value as unknown;
      },
    ],
    ['throws into it', async (values) => [await values.next(), await values.throw(new Error('result'))]],
  ])('should be free when its consumer %s, after its cleanup', async (_, consume) => {
    const { results } = await start();
    const outcome = await consume(results.generator()).catch((error: unknown) => (error as Error).message);
    expect(outcome).toBe('result');
    expect(results.cleaned).toBe(1);
    expect(await isFree()).toBe(true);
  });

  it('should hold the lock between two values', async () => {
    const { results } = await start();
    const values = results.generator();
    expect(await values.next()).toEqual({ done: false, value: 'result' });
    await expect(results.generator().next()).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    await values.return(undefined);
    expect(await isFree()).toBe(true);
  });

  it('should be free when everybody has dropped it', async () => {
    const { results } = await start();
    await results.generator().next();
    await waitUntil(async () => {
      await collectGarbage();
      return isFree();
    }, 'the release of what was collected');
  });
});

describe('An answer that goes on after its handler', () => {
  async function ask(path: string) {
    const { app } = await start();
    const { source } = app.get(FilesController);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    source.write('first ');
    const response = await new Promise<IncomingMessage>((resolve) => get({ port, path, host: '127.0.0.1' }, resolve));
    const answer = { text: '', response };
    response.setEncoding('utf8').on('data', (chunk: string) => (answer.text += chunk));
    await waitUntil(() => answer.text === 'first ', 'the beginning of the answer');
    return { answer, source };
  }

  it.each(['/file', '/manual'])('should go on without the lock, which ends with the promise: %s', async (path) => {
    const { answer, source } = await ask(path);
    await untilFree();
    expect(answer.response.complete).toBe(false);
    source.end('last');
    await waitUntil(() => answer.response.complete, 'the end of the answer');
    expect(answer.text).toBe('first last');
  });

  it('should have the lock to its end when the handler waits for that', async () => {
    const { answer, source } = await ask('/awaited');
    expect(await redis.keys()).toEqual(['lock:file']);
    source.end('last');
    await waitUntil(() => answer.response.complete, 'the end of the answer');
    await untilFree();
    expect(answer.text).toBe('first last');
  });
});
