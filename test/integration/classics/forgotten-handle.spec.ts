import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { openLocks } from '../../helpers/open-locks.js';
import { useRedis } from '../../helpers/use-redis.js';

const redis = useRedis();
const KEY = 'lock:report';
/** Long enough for a loaded machine to renew in. */
const LEASE = 3_000;
let child: ChildProcessByStdio<Writable, Readable, null>;

/** Starts a process that takes the lock. @returns the token */
async function takeIn(algorithm: 'classic' | 'ours'): Promise<string> {
  const worker = 'test/workers/forgetful-worker.mjs';
  const args = [worker, redis.url, algorithm, String(LEASE)];
  child = spawn(process.execPath, ['--expose-gc', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${code}`);
  });
  // Also at the end of the test, when nobody waits any more.
  ended.catch(() => undefined);
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
  return String(line).trim();
}

/** Tells the process to drop its handle. */
const forget = () => child.stdin.write('forget\n');

async function expectHeldFor(ms: number, token: string): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    expect(await redis.client.get(KEY)).toBe(token);
    await sleep(20);
  }
}

afterEach(() => {
  child.kill('SIGKILL');
});

describe('A handle that its caller drops without a release, in a process that lives on', () => {
  it('the classic: its timer renews the lock for ever', async () => {
    const token = await takeIn('classic');
    forget();
    await expectHeldFor(2 * LEASE, token);
  });

  it('here: it is renewed while the caller has it, and lapses when it is forgotten', async () => {
    const { locks } = await openLocks({ connection: redis.url });
    const token = await takeIn('ours');
    await expectHeldFor(2 * LEASE, token);
    forget();
    const next = await locks.acquire('report', { wait: 6 * LEASE });
    expect(next.held).toBe(true);
    expect(child.exitCode).toBeNull(); // It was not its death that did it.
  });
});
