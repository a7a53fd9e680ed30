import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { RedisUnderTest } from './use-redis.js';
import { waitUntil } from './wait-until.js';

/** A state in which a server answers, and refuses what a lock needs. */
export interface ServerFault {
  readonly name: string;
  /** What the server then says. */
  readonly says: RegExp;
  /** Whether the server may come out of it by itself, so that whoever still has time is served when it does. */
  readonly passes: boolean;
  /** Whether it lets scripts pass that only read. */
  readonly reads: boolean;
  /** Major version of the server from which on it is so for scripts. */
  readonly since?: number;
  begin(redis: RedisUnderTest): Promise<unknown>;
  end(redis: RedisUnderTest): Promise<unknown>;
}

const become = async ({ client }: RedisUnderTest, role: 'replica' | 'master') => {
  // Nobody listens at that port: a master that never comes.
  if (role === 'replica') await client.replicaof('127.0.0.1', 1);
  else await client.replicaof('NO', 'ONE');
};

const lastSave = async ({ client }: RedisUnderTest, status: 'ok' | 'err') => {
  await client.bgsave().catch(() => undefined);
  const ended = async () => /rdb_bgsave_in_progress:0/.test(await client.info('persistence'));
  await waitUntil(ended, 'a snapshot to end');
  return (await client.info('persistence')).includes(`rdb_last_bgsave_status:${status}`);
};

/** Where the snapshot goes; as a folder that no file can replace, not even root can write it. */
const snapshotOf = async ({ client }: RedisUnderTest) => {
  const setting = async (name: string) => {
    const answer: unknown = await client.config('GET', name);
    return String((answer as string[])[1]);
  };
  return join(await setting('dir'), await setting('dbfilename'));
};

export const SERVER_FAULTS: readonly ServerFault[] = [
  {
    name: 'READONLY',
    says: /\bREADONLY /,
    passes: true,
    reads: true,
    begin: (redis) => become(redis, 'replica'),
    end: (redis) => become(redis, 'master'),
  },
  {
    name: 'MASTERDOWN',
    says: /\bMASTERDOWN /,
    passes: true,
    reads: false,
    begin: async (redis) => {
      await redis.client.config('SET', 'replica-serve-stale-data', 'no');
      await become(redis, 'replica');
    },
    end: async (redis) => {
      await become(redis, 'master');
      await redis.client.config('SET', 'replica-serve-stale-data', 'yes');
    },
  },
  {
    name: 'NOREPLICAS',
    says: /\bNOREPLICAS /,
    since: 7,
    passes: true,
    reads: true,
    begin: ({ client }) => client.config('SET', 'min-replicas-to-write', 1),
    end: ({ client }) => client.config('SET', 'min-replicas-to-write', 0),
  },
  {
    name: 'BUSY',
    says: /\bBUSY /,
    passes: true,
    reads: false,
    begin: async ({ client, url }) => {
      await client.config('SET', 'lua-time-limit', 50);
      const endless = new Redis(url);
      void endless
        .eval('while true do end', 0)
        .catch(() => undefined)
        .finally(() => endless.disconnect());
      const refuses = () =>
        client.get('k').then(
          () => false,
          ({ message }: Error) => message.startsWith('BUSY'),
        );
      await waitUntil(refuses, 'an endless script');
    },
    end: async ({ client }) => {
      await client.script('KILL');
      const answers = () => client.exists('k').then(Boolean, () => undefined);
      await waitUntil(async () => (await answers()) !== undefined, 'the end of the script');
    },
  },
  {
    name: 'MISCONF',
    says: /\bMISCONF /,
    passes: false,
    reads: true,
    begin: async (redis) => {
      const snapshot = await snapshotOf(redis);
      rmSync(snapshot, { force: true });
      mkdirSync(snapshot);
      await redis.client.config('SET', 'save', '3600 1');
      await waitUntil(() => lastSave(redis, 'err'), 'a snapshot to fail');
    },
    end: async (redis) => {
      rmdirSync(await snapshotOf(redis));
      await waitUntil(() => lastSave(redis, 'ok'), 'a snapshot to succeed');
      await redis.client.config('SET', 'save', '');
    },
  },
];
