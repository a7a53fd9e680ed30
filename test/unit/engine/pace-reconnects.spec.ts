import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Clock } from '../../../lib/engine/clock.js';
import { paceReconnects } from '../../../lib/engine/connection/pace-reconnects.js';
import { ManualRuntime } from '../../helpers/manual-runtime.js';

function paced() {
  const runtime = new ManualRuntime();
  const redis = new Redis({ lazyConnect: true });
  const usable = paceReconnects(redis, { runtime, clock: new Clock(runtime) });
  // What ioredis counts itself says nothing.
  const next = (): number => Number(redis.options.retryStrategy?.(1));
  return { runtime, usable, next };
}

describe('the pace of new connections', () => {
  it('slows down to one a second', () => {
    const { next } = paced();
    const delays = Array.from({ length: 20 }, next);
    expect(delays[0]).toBeLessThan(100);
    expect(Math.min(...delays.slice(5))).toBeGreaterThanOrEqual(750);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1250);
  });

  it('begins anew after a connection that was of use for a while', () => {
    const { runtime, usable, next } = paced();
    for (let i = 0; i < 10; i++) next();
    usable();
    runtime.pass(5_000);
    expect(next()).toBeLessThan(100);
  });

  it('does not begin anew after one that ended at once', () => {
    const { runtime, usable, next } = paced();
    for (let i = 0; i < 10; i++) next();
    usable();
    runtime.pass(100);
    expect(next()).toBeGreaterThanOrEqual(750);
    runtime.pass(5_000);
    expect(next()).toBeGreaterThanOrEqual(750);
  });
});
