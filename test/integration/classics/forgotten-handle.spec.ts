import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';

const redis = useRedis();
const KEY = 'lock:report';
const LEASE = 300;
let child: ChildProcess;

/** A process that has taken the lock and dropped the handle. */
async function forgetIn(algorithm: 'classic' | 'ours'): Promise<void> {
  const args = ['test/workers/forgetful-worker.mjs', redis.url, algorithm];
  child = spawn(process.execPath, ['--expose-gc', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
}

afterEach(() => {
  child.kill('SIGKILL');
});

describe('A handle that its caller drops without a release, in a process that lives on', () => {
  it('the classic: its timer renews the lock for ever', async () => {
    await forgetIn('classic');
    const end = performance.now() + 6 * LEASE;
    while (performance.now() < end) {
      expect(await redis.client.get(KEY)).toBe('classic');
      await sleep(20);
    }
  });

  it('here: it is renewed while it can be reached and lapses once it was collected', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    await forgetIn('ours');
    const since = performance.now();
    const next = await locks.acquire('report', { wait: 15_000 });
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(next.held).toBe(true);
    expect(child.exitCode).toBeNull(); // It was not its death that did it.
  });
});
