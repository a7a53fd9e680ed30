import { expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { luaScripts } from '../../lib/scripts/lua-scripts.generated.js';
import { eachServer } from '../helpers/each-server.js';
import { waitUntil } from '../helpers/wait-until.js';
import type { ScriptName } from '../helpers/script-requests.js';

type Step = readonly [script: ScriptName, keys: readonly string[], args: readonly (string | number)[], reply: unknown];

const token = (client: string, n: number, limit = 1): string => `1:${client}:${n}:10000:1:${limit}:work`;

const [A, B, C] = [token('a', 1), token('b', 1), token('c', 1)];
const LOCK = ['lock:k', 'queue:{lock:k}', 'seen:{lock:k}'];
/** notAfter, lastFence, poll: a request without an end. */
const FRONT = ['9999999999999', '0', '3000'];
/** One token, of a process that polls. */
const [TRY, WAIT] = [0, 1];
const LEASE = 10_000;
const WRONG_TYPE = expect.objectContaining({ name: 'ReplyError', message: expect.stringMatching(/^WRONGTYPE /) });
/** A moment, or a fence, which is one. */
const TIME = 'time';
const asked = (who: string, manner: number, ticket: string | number = 0) => `${manner} ${who} ${LEASE} ${ticket}`;
const take = (who: string, manner: number, ticket: string | number = 0) => [...FRONT, asked(who, manner, ticket)];
/** lastFence, poll */
const BACK = ['0', '3000'];

const LOCK_STEPS: readonly Step[] = [
  ['lock-acquire', LOCK, ['1', '0', '3000', asked(A, TRY)], [TIME]],
  ['lock-acquire', LOCK, take(A, TRY), [TIME, TIME]],
  ['lock-acquire', LOCK, take(A, TRY, '1'), [TIME, [LEASE, 1, 0, 0, A, TIME, LEASE, '']]],
  ['lock-acquire', LOCK, take(B, TRY), [TIME, [LEASE, 1, 0, 0, A, 0, 0, '']]],
  ['lock-acquire', LOCK, take(B, WAIT), [TIME, [LEASE, 1, 0, 0, A, 0, 0, TIME]]],
  ['lock-acquire', LOCK, take(C, WAIT), [TIME, [LEASE, 1, 0, 0, A, 0, 0, TIME]]],
  ['lock-inspect', LOCK.slice(0, 2), [], [TIME, [A, LEASE], [B, TIME, C, TIME]]],
  ['lock-renew', ['lock:k', 'lock:other'], [A, B, 20_000, LEASE], [1, 0]],
  ['lock-release', LOCK, [...BACK, B], [0]],
  ['lock-release', LOCK, [...BACK, A], [1]],
  ['lock-inspect', LOCK.slice(0, 2), [], [TIME, [C, LEASE], []]],
  ['lock-acquire', LOCK, take(C, WAIT, '1'), [TIME, [LEASE, 1, 0, 0, C, TIME, LEASE, '']]],
  ['lock-release', LOCK, [...BACK, C, '5000'], [1]],
  ['lock-inspect', LOCK.slice(0, 2), [], [TIME, ['kept:work', 5_000], []]],
  ['lock-force-release', LOCK, BACK, [1, 0, 0]],
  ['lock-force-release', LOCK, BACK, [0, 0, 0]],
];

const SEMAPHORE = ['semaphore:k', 'queue:{semaphore:k}', 'seen:{semaphore:k}'];
const [P, Q, R, S] = ['p', 'q', 'r', 's'].map((client) => token(client, 1, 2)) as [string, string, string, string];

const SEMAPHORE_STEPS: readonly Step[] = [
  ['semaphore-acquire', SEMAPHORE, take(P, TRY), [TIME, TIME]],
  ['semaphore-acquire', SEMAPHORE, take(Q, TRY), [TIME, TIME]],
  ['semaphore-acquire', SEMAPHORE, take(R, TRY), [TIME, [LEASE, 1, 0, 0, '', 0, 0, '']]],
  ['semaphore-acquire', SEMAPHORE, take(R, WAIT), [TIME, [LEASE, 1, 0, 0, '', 0, 0, TIME]]],
  ['semaphore-acquire', SEMAPHORE, take(S, WAIT), [TIME, [LEASE, 1, 0, 0, '', 0, 0, TIME]]],
  ['semaphore-inspect', SEMAPHORE.slice(0, 2), [], [TIME, [P, LEASE, Q, LEASE], [R, TIME, S, TIME]]],
  ['semaphore-renew', ['semaphore:k', 'semaphore:k'], [P, S, 20_000, LEASE], [1, 0]],
  ['semaphore-release', SEMAPHORE, [...BACK, Q], [1]],
  ['semaphore-inspect', SEMAPHORE.slice(0, 2), [], [TIME, [R, LEASE, P, 20_000], [S, TIME]]],
  ['semaphore-release', SEMAPHORE, [...BACK, S], [0]],
  ['semaphore-release', SEMAPHORE, [...BACK, R, '5000'], [1]],
  ['semaphore-force-release', SEMAPHORE, BACK, [2, 0, 0]],
];

const OTHER = ['lock:o', 'queue:{lock:o}', 'seen:{lock:o}'];
const WRONG = ['lock:w', 'queue:{lock:w}', 'seen:{lock:w}'];

/** Several locks in one call; `lock:w` is a hash. */
const JOINT_STEPS: readonly Step[] = [
  ['lock-acquire', LOCK, take(A, TRY), [TIME, TIME]],
  [
    'lock-acquire',
    [...LOCK, ...WRONG, ...OTHER, ...LOCK],
    [...take(B, WAIT), asked(B, TRY), asked(C, TRY), asked(C, TRY)],
    [TIME, [LEASE, 1, 0, 0, A, 0, 0, TIME], WRONG_TYPE, TIME, [LEASE, 1, 0, 0, A, 0, 0, '']],
  ],
  ['lock-inspect', LOCK.slice(0, 2), [], [TIME, [A, LEASE], [B, TIME]]],
  ['lock-inspect', OTHER.slice(0, 2), [], [TIME, [C, LEASE], []]],
  ['lock-release', [...WRONG, ...LOCK, ...OTHER], [...BACK, B, A, A], [WRONG_TYPE, 1, 0]],
  ['lock-release', [...LOCK, ...OTHER], [...BACK, B, C, 0, '5000'], [1, 1]],
  ['lock-inspect', OTHER.slice(0, 2), [], [TIME, ['kept:work', 5_000], []]],
  ['lock-force-release', OTHER, BACK, [1, 0, 0]],
  [
    'semaphore-acquire',
    [...SEMAPHORE, ...SEMAPHORE, ...SEMAPHORE],
    [...take(P, TRY), asked(Q, TRY), asked(R, WAIT)],
    [TIME, TIME, TIME, [LEASE, 1, 0, 0, '', 0, 0, TIME]],
  ],
  ['semaphore-release', [...SEMAPHORE, ...SEMAPHORE, ...SEMAPHORE], [...BACK, P, Q, R], [1, 1, 1]],
];

const swap = (givenBack: number, ...texts: string[]) => [...FRONT, givenBack, ...texts];
const VOID = ['1', '0', '3000'];

/** Locks given back and taken in one call; `lock:w` is a hash. */
const EXCHANGE_STEPS: readonly Step[] = [
  ['lock-exchange', [...LOCK, ...OTHER], swap(0, asked(A, TRY), asked(B, TRY)), [TIME, TIME, TIME]],
  ['lock-exchange', [...LOCK, ...LOCK], swap(1, A, asked(C, TRY)), [TIME, 1, TIME]],
  ['lock-exchange', [...LOCK, ...LOCK], swap(1, A, asked(A, WAIT)), [TIME, 0, [LEASE, 1, 0, 0, C, 0, 0, TIME]]],
  // Handed on to the process that waits, behind which the one that gave it back then stands.
  ['lock-exchange', [...LOCK, ...LOCK], swap(1, C, asked(B, WAIT)), [TIME, 1, [LEASE, 1, 0, 0, A, 0, 0, TIME]]],
  [
    'lock-exchange',
    [...WRONG, ...OTHER, ...WRONG, ...OTHER],
    swap(2, A, B, asked(C, TRY), asked(C, TRY)),
    [TIME, WRONG_TYPE, 1, WRONG_TYPE, TIME],
  ],
  ['lock-exchange', [...LOCK, ...OTHER, ...OTHER], [...VOID, 2, A, C, asked(A, TRY)], [TIME, 1, 1]],
  ['lock-inspect', LOCK.slice(0, 2), [], [TIME, [B, LEASE], []]],
  [
    'lock-exchange',
    [...LOCK, ...LOCK],
    swap(1, B, asked(A, TRY, '1')),
    [TIME, 1, [LEASE, 1, 0, 0, A, TIME, LEASE, '']],
  ],
  ['lock-exchange', LOCK, swap(1, A), [TIME, 1]],
  ['semaphore-exchange', [...SEMAPHORE, ...SEMAPHORE], swap(0, asked(P, TRY), asked(Q, TRY)), [TIME, TIME, TIME]],
  [
    'semaphore-exchange',
    [...SEMAPHORE, ...SEMAPHORE, ...SEMAPHORE],
    swap(1, P, asked(R, TRY), asked(S, WAIT)),
    [TIME, 1, TIME, [LEASE, 1, 0, 0, '', 0, 0, TIME]],
  ],
  [
    'semaphore-exchange',
    [...SEMAPHORE, ...SEMAPHORE],
    swap(1, Q, asked(P, WAIT)),
    [TIME, 1, [LEASE, 1, 0, 0, '', 0, 0, TIME]],
  ],
  ['semaphore-inspect', SEMAPHORE.slice(0, 2), [], [TIME, [R, LEASE, S, LEASE], [P, TIME]]],
  ['semaphore-exchange', [...SEMAPHORE, ...SEMAPHORE], [...VOID, 1, P, asked(Q, TRY)], [TIME, 0]],
  ['semaphore-release', [...SEMAPHORE, ...SEMAPHORE], [...BACK, R, S], [1, 1]],
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

  it("several locks in one call answer for themselves: a wrong type is nobody else's error", async () => {
    await server.client.hset('lock:w', 'a', '1');
    await play(server.client, JOINT_STEPS);
    expect(await server.client.keys('*')).toEqual(['lock:w']);
  });

  it('a poll that asks for it is greeted on the channel of its process, where that listens', async () => {
    const LISTENING = 2;
    const GREETED = 4;
    const poll = take(B, WAIT + LISTENING + GREETED);
    await run(server.client, ['lock-acquire', LOCK, take(A, TRY), undefined]);
    const unheard = [TIME, [LEASE, 0, 0, 0, A, 0, 0, TIME]];
    await play(server.client, [['lock-acquire', LOCK, poll, unheard]]);
    const listener = server.connect();
    const heard: string[] = [];
    listener.on('message', (_channel, message) => heard.push(message));
    await listener.subscribe('lock:wake:b');
    const heardReply = [TIME, [LEASE, 1, 0, 0, A, 0, 0, TIME]];
    await play(server.client, [
      ['lock-acquire', LOCK, take(B, WAIT + LISTENING), heardReply],
      ['lock-acquire', LOCK, poll, heardReply],
    ]);
    await waitUntil(() => heard.length > 0, 'the greeting');
    expect(heard).toEqual(['hello']);
  });

  it('locks given back and taken in one call answer as in two', async () => {
    await server.client.hset('lock:w', 'a', '1');
    await play(server.client, EXCHANGE_STEPS);
    expect(await server.client.keys('*')).toEqual(['lock:w']);
  });

  it('a lock that one call gives back and takes has a larger fence than before, however far that was ahead', async () => {
    const ahead = String(Date.now() * 1000 + 5_000_000);
    await run(server.client, ['lock-acquire', LOCK, take(A, TRY), undefined]);
    const args = ['9999999999999', ahead, '3000', 1, A, asked(B, TRY)];
    const reply = await run(server.client, ['lock-exchange', [...LOCK, ...LOCK], args, undefined]);
    expect((reply as number[])[2]).toBe(Number(ahead) + 1);
  });

  it('the fence of a semaphore rises within a call', async () => {
    const args = [...take(P, TRY), asked(Q, TRY)];
    const reply = await run(server.client, ['semaphore-acquire', [...SEMAPHORE, ...SEMAPHORE], args, undefined]);
    const [, first, second] = reply as number[];
    expect(second).toBe((first as number) + 1);
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
    const pushable = (who: string) => take(who, WAIT + 2);
    await run(client, ['lock-acquire', LOCK, take(A, TRY), undefined]);
    const deaf = await run(client, ['lock-acquire', LOCK, pushable(B), undefined]);
    const heard = await run(client, ['lock-acquire', LOCK, pushable(C), undefined]);
    expect([deaf, heard].map((reply) => (reply as unknown[][])[1]?.[1])).toEqual([0, 1]);
    await run(client, ['lock-release', LOCK, [...BACK, A], undefined]);
    expect(steady((await told).split(' '))).toEqual(['grant', C, TIME, TIME, 'lock:k']);
    expect(await client.get('lock:k')).toBe(C);
  });
});
