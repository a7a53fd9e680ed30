import { expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { luaScripts } from '../../lib/scripts/lua-scripts.generated.js';
import { eachServer } from '../helpers/each-server.js';
import type { ScriptName } from '../helpers/script-requests.js';

type Step = readonly [script: ScriptName, keys: readonly string[], args: readonly (string | number)[], reply: unknown];

const token = (client: string, n: number, limit = 1): string => `1:${client}:${n}:10000:1:${limit}:work`;

const [A, B, C] = [token('a', 1), token('b', 1), token('c', 1)];
const LOCK = ['lock:k', 'queue:{lock:k}', 'seen:{lock:k}'];
/** notAfter, lastFence, poll, pushable: a request without an end from a process that polls. */
const FRONT = ['9999999999999', '0', '3000', '0'];
const [WAIT, TRY] = ['1', '0'];
const LEASE = 10_000;
/** A moment, or a fence, which is one. */
const TIME = 'time';
const take = (who: string, waits: string, ticket = '') => [...FRONT, waits, who, LEASE, ticket, '0'];

const LOCK_STEPS: readonly Step[] = [
  ['lock-acquire', LOCK, ['1', '0', '3000', '0', TRY, A, LEASE, '', '0'], [-1, TIME]],
  ['lock-acquire', LOCK, take(A, TRY), [1, TIME, LEASE, TIME]],
  ['lock-acquire', LOCK, take(A, TRY, '1'), [0, TIME, LEASE, 1, 0, 0, A, TIME, LEASE, '', -1]],
  ['lock-acquire', LOCK, take(B, TRY), [0, TIME, LEASE, 1, 0, 0, A, '', 0, '', -1]],
  ['lock-acquire', LOCK, take(B, WAIT), [0, TIME, LEASE, 1, 0, 0, A, '', 0, TIME, 0]],
  ['lock-acquire', LOCK, take(C, WAIT), [0, TIME, LEASE, 1, 0, 0, A, '', 0, TIME, 1]],
  ['lock-inspect', LOCK.slice(0, 2), [], [TIME, [A, LEASE], [B, TIME, C, TIME]]],
  ['lock-renew', ['lock:k', 'lock:other'], [A, B, 20_000, LEASE], [1, 0]],
  ['lock-release', LOCK, [B, '0', '3000', '0'], [0, 0, 0]],
  ['lock-release', LOCK, [A, '0', '3000', '0'], [1, 0, 0]],
  ['lock-inspect', LOCK.slice(0, 2), [], [TIME, [C, LEASE], []]],
  ['lock-acquire', LOCK, take(C, WAIT, '1'), [0, TIME, LEASE, 1, 0, 0, C, TIME, LEASE, '', -1]],
  ['lock-release', LOCK, [C, '0', '3000', '5000'], [1, 0, 0]],
  ['lock-inspect', LOCK.slice(0, 2), [], [TIME, ['kept:work', 5_000], []]],
  ['lock-force-release', LOCK, ['0', '3000'], [1, 0, 0]],
  ['lock-force-release', LOCK, ['0', '3000'], [0, 0, 0]],
];

const SEMAPHORE = ['semaphore:k', 'queue:{semaphore:k}', 'seen:{semaphore:k}'];
const [P, Q, R, S] = ['p', 'q', 'r', 's'].map((client) => token(client, 1, 2)) as [string, string, string, string];

const SEMAPHORE_STEPS: readonly Step[] = [
  ['semaphore-acquire', SEMAPHORE, take(P, TRY), [1, TIME, LEASE, TIME]],
  ['semaphore-acquire', SEMAPHORE, take(Q, TRY), [1, TIME, LEASE, TIME]],
  ['semaphore-acquire', SEMAPHORE, take(R, TRY), [0, TIME, LEASE, 1, 0, 0, '', '', 0, '', -1]],
  ['semaphore-acquire', SEMAPHORE, take(R, WAIT), [0, TIME, LEASE, 1, 0, 0, '', '', 0, TIME, 0]],
  ['semaphore-acquire', SEMAPHORE, take(S, WAIT), [0, TIME, LEASE, 1, 0, 0, '', '', 0, TIME, 1]],
  ['semaphore-inspect', SEMAPHORE.slice(0, 2), [], [TIME, [P, LEASE, Q, LEASE], [R, TIME, S, TIME]]],
  ['semaphore-renew', ['semaphore:k', 'semaphore:k'], [P, S, 20_000, LEASE], [1, 0]],
  ['semaphore-release', SEMAPHORE, [Q, '0', '3000', '0'], [1, 0, 0]],
  ['semaphore-inspect', SEMAPHORE.slice(0, 2), [], [TIME, [R, LEASE, P, 20_000], [S, TIME]]],
  ['semaphore-release', SEMAPHORE, [S, '0', '3000', '0'], [0, 0, 0]],
  ['semaphore-release', SEMAPHORE, [R, '0', '3000', '5000'], [1, 0, 0]],
  ['semaphore-force-release', SEMAPHORE, ['0', '3000'], [2, 0, 0]],
];

/** Moments become one word, and times that run are rounded up to a whole second. */
function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return value;
  if (number > 1e12) return TIME;
  return number > 100 ? Math.ceil(number / 1000) * 1000 : number;
}

const run = (client: Redis, [name, keys, args]: Step): Promise<unknown> =>
  client.eval(luaScripts[name].lua, keys.length, ...keys, ...args);

async function play(client: Redis, steps: readonly Step[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const reply = steady(await run(client, step));
    expect({ index, script: step[0], reply }).toEqual({ index, script: step[0], reply: step[3] });
  }
}

eachServer((server) => {
  it('the scripts of a lock answer the same, and leave nothing behind', async () => {
    await play(server.client, LOCK_STEPS);
    expect(await server.client.keys('*')).toEqual([]);
  });

  it('the scripts of a semaphore answer the same, and leave nothing behind', async () => {
    await play(server.client, SEMAPHORE_STEPS);
    expect(await server.client.keys('*')).toEqual([]);
  });

  it('what a lock keeps in Redis is the same: types, members, times to live', async () => {
    const { client } = server;
    await play(client, LOCK_STEPS.slice(1, 5));
    expect((await client.keys('*')).sort()).toEqual([...LOCK].sort());
    expect(await client.get('lock:k')).toBe(A);
    expect(await client.zrange('queue:{lock:k}', '0', '-1')).toEqual([B]);
    expect(Object.keys(await client.hgetall('seen:{lock:k}')).sort()).toEqual(['*', 'b']);
    const lives = await Promise.all(LOCK.map((key) => client.pttl(key)));
    expect(lives.map(steady)).toEqual([LEASE, 30_000, 30_000]);
  });

  it('a process that listens is told of its grant, one that does not is passed over', async () => {
    const { client } = server;
    const listener = server.connect();
    await listener.subscribe('lock:wake:c');
    const told = new Promise<string>((resolve) => listener.once('message', (_channel, message) => resolve(message)));
    const pushable = (who: string) => ['9999999999999', '0', '3000', '1', WAIT, who, LEASE, '', '0'];
    await run(client, ['lock-acquire', LOCK, take(A, TRY), undefined]);
    const deaf = await run(client, ['lock-acquire', LOCK, pushable(B), undefined]);
    const heard = await run(client, ['lock-acquire', LOCK, pushable(C), undefined]);
    expect([(deaf as unknown[])[3], (heard as unknown[])[3]]).toEqual([0, 1]);
    await run(client, ['lock-release', LOCK, [A, '0', '3000', '0'], undefined]);
    expect(steady((await told).split(' '))).toEqual(['grant', C, TIME, TIME, 'lock:k']);
    expect(await client.get('lock:k')).toBe(C);
  });
});
