import { describe, expect, it } from '@jest/globals';
import { Redis, type RedisOptions } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { openLocks } from '../helpers/open-locks.js';
import { RecordingLogger } from '../helpers/recording-logger.js';
import { useSentinel } from '../helpers/use-sentinel.js';
import { waitUntil } from '../helpers/wait-until.js';

const sentinel = useSentinel();
const proxy = useFaultProxy(sentinel);

/** How the master goes. */
const ends: [string, (pid: number) => Promise<void>][] = [
  ['is demoted by hand', () => sentinel.failover()],
  ['freezes', async (pid) => void process.kill(pid, 'SIGSTOP')],
];

describe('a failover by Sentinel', () => {
  it.each(ends)('is followed when the master %s: by new calls, waiters and pushes', async (_, end) => {
    const master = await sentinel.master();
    const [mine, theirs] = await Promise.all(
      [1, 2].map(async () => (await openLocks({ connection: sentinel.connection })).locks),
    );
    let working = true;
    const fences: number[] = [];
    const work = async (locks = mine): Promise<void> => {
      while (working) {
        await locks
          ?.withLock('k', { wait: '30s', ttl: '1s' }, async (lease) => {
            fences.push(lease.fence);
            await sleep(5);
          })
          .catch(() => sleep(50));
      }
    };
    const workers = [work(mine), work(mine), work(theirs), work(theirs)];
    await waitUntil(() => fences.length > 20, 'the lock to go round');
    await end(master.pid);
    await waitUntil(async () => (await sentinel.master()) !== master, 'the failover');
    const promoted = new Redis((await sentinel.master()).port);
    try {
      await promoted.config('RESETSTAT');
      const pushes = async (): Promise<number> =>
        Number(/cmdstat_publish:calls=(\d+)/.exec(await promoted.info('commandstats'))?.[1] ?? 0);
      await waitUntil(async () => (await pushes()) > 100, 'the lock to go round on the new master');
    } finally {
      working = false;
      process.kill(master.pid, 'SIGCONT');
      promoted.disconnect();
    }
    await Promise.all(workers);
    expect(new Set(fences).size).toBe(fences.length);
  });
});

describe('a Sentinel that is not there', () => {
  it('is an outage like any other: one warning, and one line at its end [BC-33]', async () => {
    const logger = new RecordingLogger();
    proxy.down();
    const sentinels = [{ host: '127.0.0.1', port: proxy.port }];
    const connection = { ...sentinel.connection, sentinels };
    const { locks } = await openLocks({ connection, logger, commandTimeout: 500 });
    await expect(locks.withLock('k', { wait: 0 }, () => 'entered')).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    await waitUntil(() => proxy.attempts > 4, 'more attempts');
    const lines = () => logger.lines.map(({ level, text }) => `${level}: ${text}`);
    expect(lines()).toEqual([expect.stringMatching(/^warn: Redis is not reachable \(commands\): .*sentinel/i)]);
    proxy.up();
    expect(await locks.withLock('k', { wait: '20s' }, () => 'entered')).toBe('entered');
    expect(lines().slice(1)).toEqual([expect.stringMatching(/^log: Redis is reachable again/)]);
  });
});

describe('a failover that is told while a client looks for the master', () => {
  it('is not the end of its connection', async () => {
    const master = await sentinel.master();
    // The first to be asked, by a way of its own; news of a failover come by both.
    const sentinels = [{ host: '127.0.0.1', port: proxy.port }, ...sentinel.connection.sentinels];
    const { locks } = await openLocks({
      connection: { ...sentinel.connection, sentinels, updateSentinels: false, sentinelCommandTimeout: 60_000 },
      commandTimeout: 60_000,
    });
    await locks.withLock('k', () => undefined);
    const answers = proxy.hold('replies');
    const asked = proxy.attempts;
    const old = new Redis(master.port);
    await old.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    old.disconnect();
    await waitUntil(() => proxy.attempts > asked, 'the client to look for the master');
    await sentinel.failover();
    await waitUntil(async () => (await sentinel.master()) !== master, 'the failover');
    await sleep(500);
    answers.letGo();
    expect(await locks.withLock('k', { wait: '20s' }, () => 'entered')).toBe('entered');
  });
});

describe('settings that suit the application and not a lock', () => {
  const working = async (settings: RedisOptions): Promise<void> => {
    const { locks } = await openLocks({ connection: { ...sentinel.connection, ...settings }, commandTimeout: 1000 });
    expect(await locks.withLock('k', { wait: '20s' }, () => 'entered')).toBe('entered');
  };

  it('do not send ours to a replica', () => working({ role: 'slave' }));

  it('do not let ours wait without end for a Sentinel that is silent', async () => {
    proxy.hold('replies');
    const silent = { host: '127.0.0.1', port: proxy.port };
    await working({ sentinels: [silent, ...sentinel.connection.sentinels] });
  });

  it('do not let ours give up', async () => {
    proxy.down();
    const sentinels = [{ host: '127.0.0.1', port: proxy.port }];
    const entered = working({ sentinels, sentinelRetryStrategy: () => null });
    await waitUntil(() => proxy.attempts > 0, 'an attempt');
    await sleep(100);
    proxy.up();
    await entered;
  });
});
