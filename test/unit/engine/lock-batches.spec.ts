import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../../lib/engine/clock.js';
import { UnansweredError } from '../../../lib/engine/connection/failures.js';
import { LockBatches } from '../../../lib/engine/connection/lock-batches.js';
import type { LockCall } from '../../../lib/engine/connection/lock-calls.js';
import type { Done, Failed, ScriptCall } from '../../../lib/engine/connection/scripts.js';
import { ServerClock } from '../../../lib/engine/connection/server-clock.js';
import { uncaughtDuring } from '../../helpers/process-events.js';
import { ManualRuntime } from '../../helpers/manual-runtime.js';
import type { Answer } from '../../../lib/engine/connection/command-connection.js';
import type { LockKind } from '../../../lib/interfaces/lock-kind.type.js';

const TIMES = { commandTimeout: 100, pollInterval: 3000 };

class FakeLink {
  epoch = 1;
  readonly server = new ServerClock(new Clock(new ManualRuntime()));
  readonly sent: (ScriptCall & { done: (reply: unknown) => void; failed: Failed })[] = [];

  dispatch(script: ScriptCall, done: Done<Answer>, failed: Failed): void {
    const at = { sentAt: 1_000, receivedAt: 1_002, epoch: 1, link: this as unknown as Answer['link'] };
    this.sent.push({ ...script, done: (reply) => done({ ...at, reply }), failed });
  }

  failure(error: Error): Error {
    return error;
  }

  /** Script and owner keys of every command. */
  get commands(): string[] {
    return this.sent.map(({ name, keys }) => `${name} ${keys.filter((_, i) => i % 3 === 0).join(' ')}`);
  }
}

let link: FakeLink;
let batches: LockBatches;

beforeEach(() => {
  link = new FakeLink();
  batches = new LockBatches(link, TIMES);
});

const keysOf = (key: string) => ({ owner: key, queue: `q:${key}`, seen: `s:${key}` });
const ask = (name: `${LockKind}-${'acquire' | 'release'}`, key: string, call: Partial<LockCall> = {}) => {
  const text = `token of ${key}`;
  const [kind, verb] = name.split('-') as [LockKind, 'acquire' | 'release'];
  const answer = new Promise<Answer>((resolve, reject) => {
    batches[verb](kind, { keys: keysOf(key), text, answered: resolve, failed: reject, ...call });
  });
  answer.catch(() => undefined);
  return answer;
};
const endOfTick = () => new Promise((resolve) => setImmediate(resolve));
const replyError = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });

describe('calls of one tick', () => {
  it('go out at its end, in one command for each kind', async () => {
    void ask('lock-acquire', 'a');
    void ask('semaphore-acquire', 'p');
    await Promise.resolve().then(() => void ask('lock-acquire', 'b'));
    expect(link.commands).toEqual([]);
    await endOfTick();
    expect(link.commands).toEqual(['lock-acquire a b', 'semaphore-acquire p']);
    void ask('lock-acquire', 'c');
    await endOfTick();
    expect(link.commands).toHaveLength(3);
  });

  it('share what they have in common, made when they go out', async () => {
    void ask('lock-acquire', 'a');
    void ask('lock-acquire', 'b', { fence: 9 });
    link.server.reset(50_000);
    link.server.noteFence(7);
    await endOfTick();
    expect(link.sent[0]).toMatchObject({
      keys: ['a', 'q:a', 's:a', 'b', 'q:b', 's:b'],
      args: [50_100, 9, 3000, 'token of a', 'token of b'],
    });
  });

  it('are at most 32 in a command', async () => {
    for (let i = 0; i < 150; i++) void ask(i % 2 ? 'lock-acquire' : 'lock-release', `k${i}`);
    await endOfTick();
    expect(link.sent.map(({ keys }) => keys.length / 3)).toEqual([32, 32, 32, 32, 22]);
  });

  it('say for how long locks stay closed only where one does', async () => {
    void ask('lock-release', 'a', { fence: 5 });
    void ask('lock-release', 'b');
    await endOfTick();
    void ask('lock-release', 'a');
    void ask('lock-release', 'b', { keep: 70 });
    await endOfTick();
    expect(link.sent.map(({ args }) => args)).toEqual([
      [5, 3000, 'token of a', 'token of b'],
      [0, 3000, 'token of a', 'token of b', 0, 70],
    ]);
  });

  it('give back before they ask, in the same command', async () => {
    link.server.reset(50_000);
    void ask('lock-acquire', 'a');
    void ask('semaphore-release', 'p');
    void ask('lock-release', 'b', { fence: 5 });
    void ask('lock-acquire', 'b');
    await endOfTick();
    expect(link.commands).toEqual(['lock-exchange b a b', 'semaphore-release p']);
    expect(link.sent[0]?.args).toEqual([50_100, 5, 3000, 1, 'token of b', 'token of a', 'token of b']);
  });

  it('bring the script that does both with the first command of a connection that does', async () => {
    const both = async (kind: LockKind): Promise<void> => {
      void ask(`${kind}-release`, 'a');
      void ask(`${kind}-acquire`, 'b');
      await endOfTick();
    };
    await both('lock');
    await both('lock');
    await both('semaphore');
    link.epoch = 2;
    await both('lock');
    void ask('lock-acquire', 'c');
    await endOfTick();
    expect(link.sent.map(({ inFull }) => inFull)).toEqual([true, false, true, true, false]);
  });

  it('give back in a command of their own what is to stay closed', async () => {
    void ask('lock-acquire', 'a');
    void ask('lock-release', 'b', { keep: 70 });
    void ask('lock-release', 'c');
    await endOfTick();
    expect(link.commands).toEqual(['lock-release b c', 'lock-acquire a']);
  });

  it('keep the order of an acquire and a release of the same lock after it', async () => {
    void ask('lock-acquire', 'a');
    void ask('lock-acquire', 'b');
    void ask('lock-release', 'b');
    void ask('lock-acquire', 'c');
    await endOfTick();
    expect(link.commands).toEqual(['lock-acquire a b', 'lock-exchange b c']);
  });

  it('go out at once when that is asked for', () => {
    void ask('lock-acquire', 'a');
    batches.flush();
    expect(link.commands).toEqual(['lock-acquire a']);
  });
});

describe('the answer to a command', () => {
  it('is taken apart: to each its own, as if it had been alone', async () => {
    const released = ['d', 'e'].map((key) => ask('semaphore-release', key));
    const acquired = ['a', 'b', 'c'].map((key) => ask('lock-acquire', key));
    await endOfTick();
    const wrong = replyError('WRONGTYPE of b');
    link.sent[0]?.done([777, 11, wrong, [500, 1, 0, 0, 'x', 0, 0, '']]);
    link.sent[1]?.done([1, [0, 1, 0]]);
    const replies = await Promise.allSettled([...released, ...acquired]);
    expect(replies).toMatchObject([
      { value: { reply: [1], sentAt: 1_000, epoch: 1 } },
      { value: { reply: [[0, 1, 0]] } },
      { value: { reply: [777, 11] } },
      { reason: wrong },
      { value: { reply: [777, [500, 1, 0, 0, 'x', 0, 0, '']] } },
    ]);
  });

  it('is taken apart where locks are given back and taken', async () => {
    const released = ['a', 'b'].map((key) => ask('lock-release', key));
    const acquired = ['a', 'c'].map((key) => ask('lock-acquire', key));
    await endOfTick();
    const wrong = replyError('WRONGTYPE of c');
    link.sent[0]?.done([777, 1, [0, 1, 0], 11, wrong]);
    expect(await Promise.allSettled([...released, ...acquired])).toMatchObject([
      { value: { reply: [1] } },
      { value: { reply: [[0, 1, 0]] } },
      { value: { reply: [777, 11] } },
      { reason: wrong },
    ]);
  });

  it('says what was given back, also when it came too late to take anything', async () => {
    const released = ask('lock-release', 'a');
    const acquired = ask('lock-acquire', 'b');
    await endOfTick();
    link.sent[0]?.done([777, 1]);
    expect(await released).toMatchObject({ reply: [1] });
    expect(await acquired).toMatchObject({ reply: [777, undefined] });
  });

  it('is for those who were asked for in it, whoever has come since', async () => {
    const first = ask('lock-acquire', 'a');
    await endOfTick();
    void ask('lock-release', 'b');
    link.sent[0]?.done([777, 11]);
    expect(await first).toMatchObject({ reply: [777, 11] });
    await endOfTick();
    expect(link.commands).toEqual(['lock-acquire a', 'lock-release b']);
  });

  it('reaches all others when one of them cannot deal with it', async () => {
    const heard: string[] = [];
    const fault = new Error('cannot');
    const refuse = (): never => {
      throw fault;
    };
    const uncaught = await uncaughtDuring(async () => {
      void ask('lock-acquire', 'a', { answered: refuse, failed: refuse });
      void ask('lock-acquire', 'b', { answered: () => void heard.push('b') });
      await endOfTick();
      link.sent[0]?.done([50_000, 1, 2]);
      void ask('lock-acquire', 'a', { failed: refuse });
      void ask('lock-acquire', 'c', { failed: () => void heard.push('c') });
      await endOfTick();
      link.sent[1]?.failed(new UnansweredError('gone'));
      await endOfTick();
    });
    expect(heard).toEqual(['b', 'c']);
    expect(uncaught).toEqual([fault, fault]);
  });

  it('concerns all when it came too late, or did not come', async () => {
    const first = ['a', 'b'].map((key) => ask('lock-acquire', key));
    await endOfTick();
    link.sent[0]?.done([777]);
    expect(await Promise.all(first)).toMatchObject([{ reply: [777, undefined] }, { reply: [777, undefined] }]);
    const second = ['a', 'b'].map((key) => ask('lock-acquire', key));
    await endOfTick();
    const silence = new UnansweredError('gone');
    link.sent[1]?.failed(silence);
    expect(await Promise.allSettled(second)).toMatchObject([{ reason: silence }, { reason: silence }]);
    expect(link.sent).toHaveLength(2);
  });

  it('is asked for singly when it is an error, unless that passes, of whoever still wants it', async () => {
    let wanted = true;
    const [good, bad, gone] = [
      ask('lock-acquire', 'good'),
      ask('lock-acquire', 'bad'),
      ask('lock-acquire', 'gone', { wanted: () => wanted }),
    ] as const;
    await endOfTick();
    wanted = false;
    const refused = replyError('NOPERM No permissions to access a key');
    link.sent[0]?.failed(refused);
    expect(link.commands.slice(1)).toEqual(['lock-acquire good', 'lock-acquire bad']);
    link.sent[1]?.done([777, 11]);
    link.sent[2]?.failed(refused);
    const replies = await Promise.allSettled([good, bad, gone]);
    expect(replies).toMatchObject([{ value: { reply: [777, 11] } }, { reason: refused }, { reason: refused }]);
    const both = ['a', 'b'].map((key) => ask('lock-acquire', key));
    await endOfTick();
    link.sent[3]?.failed(replyError('READONLY replica'));
    await expect(both[0]).rejects.toThrow('READONLY');
    await expect(both[1]).rejects.toThrow('READONLY');
    expect(link.sent).toHaveLength(4);
  });

  it('is asked for singly, first what is given back, when a command that does both is refused', async () => {
    const given = ask('lock-release', 'a');
    const taken = ask('lock-acquire', 'b');
    await endOfTick();
    link.sent[0]?.failed(replyError('NOPERM No permissions to access a key'));
    expect(link.commands).toEqual(['lock-exchange a b', 'lock-release a', 'lock-acquire b']);
    link.sent[1]?.done([1]);
    link.sent[2]?.failed(replyError('NOPERM No permissions to access a key'));
    await expect(given).resolves.toMatchObject({ reply: [1] });
    await expect(taken).rejects.toThrow('NOPERM');
  });

  it('is asked for without those who left where the server did not know the script', async () => {
    let wanted = true;
    const kept = ['a', 'b'].map((key) => ask('lock-acquire', key));
    const left = ask('lock-acquire', 'c', { wanted: () => wanted });
    await endOfTick();
    expect(link.sent[0]?.wanted?.()).toBe(true);
    wanted = false;
    expect(link.sent[0]?.wanted?.()).toBe(false);
    link.sent[0]?.failed(replyError('NOSCRIPT No matching script'));
    await expect(left).rejects.toThrow('NOSCRIPT');
    expect(link.commands[1]).toBe('lock-acquire a b');
    link.sent[1]?.done([777, 1, 2]);
    expect(await Promise.all(kept)).toMatchObject([{ reply: [777, 1] }, { reply: [777, 2] }]);
    const given = ask('lock-release', 'a');
    void ask('lock-acquire', 'c', { wanted: () => false });
    await endOfTick();
    link.sent[2]?.failed(replyError('NOSCRIPT No matching script'));
    expect(link.commands[3]).toBe('lock-release a');
    link.sent[3]?.done([1]);
    await expect(given).resolves.toMatchObject({ reply: [1] });
  });
});
