import type { Random } from '../core/random.js';
import type { Order } from '../history/attempt.js';

/** The locks that all processes share. */
export const KEYS = [
  { kind: 'lock', key: 'order', limit: 1 },
  { kind: 'lock', key: 'seat', limit: 1 },
  { kind: 'semaphore', key: 'pair', limit: 2 },
  { kind: 'semaphore', key: 'trio', limit: 3 },
] as const;

/** How the program of one seed is. */
export interface Habits {
  /** Mean pause between two calls of one caller, ms. */
  readonly pause: number;
  readonly shortestTtl: number;
  readonly longestTtl: number;
  readonly longestWait: number;
  /** Nearly all calls are short and for the same lock, so that the callers of one process meet there and share turns. */
  readonly crowd: boolean;
  /** Share of calls that want exact order. */
  readonly fairness: number;
  /** Share of calls whose waiting is cancelled. */
  readonly impatience: number;
}

export function drawHabits(random: Random, cancels: boolean): Habits {
  const shortestTtl = random.pick([200, 400, 800]);
  return {
    pause: random.pick([50, 200, 600]),
    shortestTtl,
    longestTtl: shortestTtl * random.pick([2, 4]),
    longestWait: random.pick([1_000, 3_000, 8_000]),
    crowd: random.chance(0.4),
    fairness: random.pick([0, 0.1, 0.5]),
    impatience: cancels ? 0.1 : 0,
  };
}

export function drawOrder(random: Random, habits: Habits): Order {
  const order = drawAnyOrder(random, habits);
  if (!habits.crowd || random.chance(0.15)) return order;
  const { longestTtl: ttl, longestWait: wait } = habits;
  return {
    ...order,
    ...KEYS[0],
    ttl,
    renew: true,
    wait,
    minHold: 0,
    hold: Math.min(order.hold, random.between(0, 60)),
  };
}

function drawAnyOrder(random: Random, habits: Habits): Order {
  const ttl = random.int(habits.shortestTtl, habits.longestTtl);
  const style = random.chance(0.4) ? 'handle' : 'section';
  const hold = random.chance(0.25) ? random.between(ttl, 2.5 * ttl) : random.between(0, ttl / 2);
  return {
    ...random.pick(KEYS),
    style,
    ttl,
    renew: random.chance(0.65),
    fair: random.chance(habits.fairness),
    wait: random.chance(0.2) ? 0 : Math.round(random.between(50, habits.longestWait)),
    minHold: random.chance(0.15) ? Math.round(random.between(20, ttl * 1.5)) : 0,
    hold,
    obedient: random.chance(0.6),
    patience: random.chance(habits.impatience) ? random.between(0, habits.longestWait) : Infinity,
    abandons: style === 'handle' && random.chance(0.25),
  };
}
