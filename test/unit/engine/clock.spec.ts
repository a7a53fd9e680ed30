import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../../lib/engine/clock.js';
import { ManualRuntime } from '../../helpers/manual-runtime.js';

describe('elapsed time of the engine', () => {
  it('runs with the monotonic clock', () => {
    const runtime = new ManualRuntime();
    const clock = new Clock(runtime);
    const start = clock.now();
    runtime.pass(1_234);
    expect(clock.now() - start).toBe(1_234);
  });

  it('counts the time for which the machine was suspended, which the monotonic clock does not', () => {
    const runtime = new ManualRuntime();
    const clock = new Clock(runtime);
    const start = clock.now();
    runtime.wallClock += 3_600_000;
    expect(clock.now() - start).toBe(3_600_000);
    runtime.pass(10);
    expect(clock.now() - start).toBe(3_600_010);
  });

  it('never goes back when the wall clock is set back, and counts a later step forward in full', () => {
    const runtime = new ManualRuntime();
    const clock = new Clock(runtime);
    const start = clock.now();
    runtime.wallClock -= 300_000;
    expect(clock.now() - start).toBe(0);
    runtime.wallClock += 50_000;
    expect(clock.now() - start).toBe(50_000);
  });

  it('takes the unevenness of a wall clock that ticks in milliseconds for nothing', () => {
    const runtime = new ManualRuntime();
    const clock = new Clock(runtime);
    const start = clock.now();
    for (let i = 0; i < 1_000; i++) {
      runtime.wallClock += i % 2 ? -3 : 3;
      clock.now();
    }
    expect(clock.now() - start).toBe(0);
  });
});
