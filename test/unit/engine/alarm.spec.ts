import { describe, expect, it } from '@jest/globals';
import { Alarm } from '../../../lib/engine/alarm.js';
import { Clock } from '../../../lib/engine/clock.js';
import { ManualRuntime } from '../../helpers/manual-runtime.js';

const DAY = 86_400_000;

function alarmOn(runtime: ManualRuntime): { alarm: Alarm; rings: number[]; clock: Clock } {
  const rings: number[] = [];
  const clock = new Clock(runtime);
  return { alarm: new Alarm(runtime, clock, () => rings.push(clock.now())), rings, clock };
}

describe('alarm', () => {
  it('rings once, at its time', () => {
    const runtime = new ManualRuntime();
    const { alarm, rings, clock } = alarmOn(runtime);
    const due = clock.now() + 500;
    alarm.set(due);
    runtime.pass(2_000);
    expect(rings).toEqual([due]);
  });

  it('reaches beyond the longest timeout of Node without asking for a longer one (BC-34)', () => {
    const runtime = new ManualRuntime();
    const { alarm, rings, clock } = alarmOn(runtime);
    const due = clock.now() + 90 * DAY;
    alarm.set(due);
    runtime.pass(89 * DAY);
    expect(rings).toEqual([]);
    runtime.pass(2 * DAY);
    expect(rings).toEqual([due]);
    expect(Math.max(...runtime.asked)).toBeLessThanOrEqual(2 ** 31 - 1);
    expect(runtime.asked.length).toBeLessThan(10);
  });

  it('asks for no timer when it never rings (BC-34)', () => {
    const runtime = new ManualRuntime();
    const { alarm } = alarmOn(runtime);
    alarm.set(Infinity);
    expect(runtime.asked).toEqual([]);
  });

  it('is brought forward, not put off', () => {
    const runtime = new ManualRuntime();
    const { alarm, rings, clock } = alarmOn(runtime);
    const start = clock.now();
    alarm.bringForward(start + 300);
    alarm.bringForward(start + 900);
    alarm.bringForward(start + 200);
    runtime.pass(1_000);
    expect(rings).toEqual([start + 200]);
  });

  it('is brought forward when its timer is from before the machine slept', () => {
    const runtime = new ManualRuntime();
    const { alarm, rings, clock } = alarmOn(runtime);
    alarm.set(clock.now() + 5_000);
    // The monotonic clock stands still, and timers with it.
    runtime.wallClock += 4_000;
    const due = clock.now() + 2_000;
    alarm.bringForward(due);
    runtime.pass(2_000);
    expect(rings).toEqual([due - 1_000]);
  });
});
