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
    impatience: cancels ? 0.1 : 0,
  };
}

export function drawOrder(random: Random, habits: Habits): Order {
  const ttl = random.int(habits.shortestTtl, habits.longestTtl);
  const style = random.chance(0.4) ? 'handle' : 'section';
  const hold = random.chance(0.25) ? random.between(ttl, 2.5 * ttl) : random.between(0, ttl / 2);
  return {
    ...random.pick(KEYS),
    style,
    ttl,
    renew: random.chance(0.65),
    wait: random.chance(0.2) ? 0 : Math.round(random.between(50, habits.longestWait)),
    minHold: random.chance(0.15) ? Math.round(random.between(20, ttl * 1.5)) : 0,
    hold,
    obedient: random.chance(0.6),
    patience: random.chance(habits.impatience) ? random.between(0, habits.longestWait) : Infinity,
    abandons: style === 'handle' && random.chance(0.25),
  };
}
