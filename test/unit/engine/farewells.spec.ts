import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../../lib/engine/clock.js';
import { UnansweredError } from '../../../lib/engine/connection/failures.js';
import type { LockKind } from '../../../lib/interfaces/lock-kind.type.js';
import type { LockCall } from '../../../lib/engine/connection/lock-calls.js';
import type { Servers } from '../../../lib/engine/connection/servers.interface.js';
import { Farewells } from '../../../lib/engine/farewells.js';
import { ManualRuntime } from '../../helpers/manual-runtime.js';

const keys = { owner: 'lock:k', queue: 'queue:{lock:k}', seen: 'seen:{lock:k}' };
const FAREWELL = { kind: 'lock', keys, token: 't', fence: 1, keepUntil: 0 } as const;

describe('a release that is not answered', () => {
  let runtime: ManualRuntime;
  let sent: LockCall[];
  let told: unknown[];
  const link = { ready: true, unanswered: () => new UnansweredError('no answer') };
  const listener = {
    answered: (released: boolean, resent: boolean) => void told.push({ released, resent }),
    failed: (error: unknown) => void told.push((error as Error).message),
  };
  const open = (commandTimeout: number): Farewells => {
    const release = (_: LockKind, call: LockCall): void => void sent.push(call);
    const servers = { of: () => link, release } as unknown as Servers;
    return new Farewells(runtime, new Clock(runtime), servers, commandTimeout);
  };

  beforeEach(() => {
    runtime = new ManualRuntime();
    [sent, told] = [[], []];
    link.ready = true;
  });

  it('is told in time, and once: what comes later is nobody’s news', async () => {
    const farewells = open(2_000);
    farewells.say(FAREWELL, listener);
    link.ready = false;
    sent[0]?.failed(new UnansweredError('cut'));
    expect(told).toEqual([]);
    runtime.pass(2_000);
    expect(told).toEqual(['no answer']);
    link.ready = true;
    farewells.resend();
    sent[1]?.answered({ reply: [1] } as never);
    expect(told).toEqual(['no answer']);
    await farewells.idle();
  });

  it('is told, too, when it is given up before its time is over', async () => {
    const farewells = open(120_000);
    farewells.say(FAREWELL, listener);
    link.ready = false;
    sent[0]?.failed(new UnansweredError('cut'));
    runtime.pass(61_000);
    link.ready = true;
    farewells.resend();
    expect(told).toEqual(['no answer']);
    expect(sent).toHaveLength(1);
    await farewells.idle();
  });

  it('is over once, however late its answer comes', async () => {
    const farewells = open(2_000);
    farewells.say(FAREWELL, listener);
    runtime.pass(61_000);
    farewells.resend();
    farewells.say({ ...FAREWELL, token: 'another' }, listener);
    sent[0]?.answered({ reply: [1] } as never);
    expect(farewells.begunBefore('lock:k', Infinity)).toBe(true);
    sent[1]?.answered({ reply: [1] } as never);
    expect(told).toEqual(['no answer', { released: true, resent: false }]);
    await farewells.idle();
  });
});
