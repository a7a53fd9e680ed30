import { describe, expect, it } from '@jest/globals';
import { Alarm } from '../../../lib/engine/alarm.js';
import { Clock } from '../../../lib/engine/clock.js';
import type { AcquireAnswer } from '../../../lib/engine/waiting/answer.js';
import { WaitingRoom } from '../../../lib/engine/waiting/waiting-room.js';
import { ManualRuntime } from '../../helpers/manual-runtime.js';

const pace = { pollInterval: 3_000, handoffTtl: 3_000, random: () => 0 };
const ours = '1:host-1-aaaaaaaa:0:3000:1:1:A.b';
const calm: AcquireAnswer = {
  void: false,
  serverTime: 0,
  rest: 9_000,
  heard: true,
  more: false,
  muted: false,
  pushable: true,
  holder: ours,
  tokens: [],
};

function room(): WaitingRoom {
  const runtime = new ManualRuntime();
  const keys = { owner: 'lock:a', queue: 'queue:{lock:a}', seen: 'seen:{lock:a}' };
  return new WaitingRoom('lock', keys, new Alarm(runtime, new Clock(runtime), () => undefined));
}

/** Delays of the looks that follow each other while the answer stays the same, whole ms. */
function delays(answer: AcquireAnswer, pushable: boolean, count: number): number[] {
  const waiting = room();
  return Array.from({ length: count }, () => Math.floor(waiting.delay(answer, pushable, pace)));
}

describe('when a waiting process looks at a lock', () => {
  it('looks when the lease of the holder would end, at the latest after the poll interval', () => {
    expect(delays({ ...calm, rest: 800 }, true, 2)).toEqual([801, 801]);
    expect(delays(calm, true, 2)).toEqual([3_001, 3_001]);
  });

  it('looks at once when the server had to stop half way', () => {
    expect(delays({ ...calm, more: true }, true, 1)).toEqual([0]);
  });

  it('looks after 100 ms, growing to a second, when the holder is no process of ours and will tell nobody', () => {
    const foreign = delays({ ...calm, holder: 'somebody else', rest: -1 }, true, 9);
    expect(foreign[0]).toBe(101);
    expect(foreign).toEqual([...foreign].sort((a, b) => a - b));
    expect(foreign[8]).toBe(1_001);
  });

  it('looks often enough to catch a hand-off when it cannot be pushed: at most a third of the handed lease apart', () => {
    const lonely = delays(calm, false, 12);
    expect(lonely[0]).toBe(51);
    expect(lonely[11]).toBe(1_001);
  });
});
