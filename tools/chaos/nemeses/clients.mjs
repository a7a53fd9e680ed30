// Faults of clients.
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.mjs';
import { HANDOFF_TTL, POLL_INTERVAL, TTL } from '../clients/workload.mjs';
import { waitFor } from '../wait-for.mjs';

/** @import { Nemesis } from './types.mjs' */

const EVERYWHERE = /** @type {const} */ ({ single: 'A', sentinel: 'A', cluster: 'A' });

/** @type {Nemesis} */
export const clientStop = {
  name: 'client-stop',
  groups: EVERYWHERE,
  lasts: 2_500,
  start: async ({ fleet, struck }) => {
    const [first, second] = fleet.clients;
    const stopped = Math.random() < 0.5 ? [first, second] : [fleet.pick()];
    for (const client of stopped) client?.freeze();
    struck();
    return async () => {
      for (const client of stopped) client?.thaw();
    };
  },
};

/** @type {Nemesis} */
export const clientKill = {
  name: 'client-kill',
  groups: EVERYWHERE,
  lasts: 1_000,
  start: async ({ fleet, struck }) => {
    const victim = fleet.pick();
    await victim.kill();
    struck();
    return () => fleet.replace(victim);
  },
};

const WAITERS = 50;
/** Besides the time that the protocol gives away: for a loaded machine. */
const SLACK = 1_000;

/**
 * A stopped process with fifty waiters stands in the queue before a live one. The hand-off to the first of them lapses, which
 * the live one finds out at its next look; then the other forty-nine are passed over.
 *
 * @type {Nemesis}
 */
export const frozenWaiters = {
  name: 'frozen-waiters',
  groups: EVERYWHERE,
  lasts: 100,
  start: async ({ fleet, note, struck }) => {
    const [holder, frozen, live] = fleet.clients;
    if (!holder || !frozen || !live) throw new Error('needs three clients');
    const target = { kind: /** @type {const} */ ('fair'), key: 'behind-frozen', limit: 1 };
    const patience = 20_000;
    await holder.call('take', target, 'first', patience);
    await frozen.call('queue', target, WAITERS, patience);
    await waitFor('fifty waiters', async () => (await holder.call('waiting', target.key)) === WAITERS);
    const entered = live.call('take', target, 'last', patience);
    await waitFor('one more', async () => (await holder.call('waiting', target.key)) === WAITERS + 1);
    frozen.freeze();
    try {
      // Nothing that was under way comes to it any more.
      await sleep(50);
      const released = now();
      struck();
      await holder.call('give', 'first');
      const delay = (await entered) - released;
      note('delay behind 50 frozen waiters, ms', delay);
      const bound = Math.min(HANDOFF_TTL, TTL) + POLL_INTERVAL + SLACK;
      if (delay > bound) throw new Error(`a live waiter came ${Math.round(delay)} ms late, more than ${bound} ms`);
    } finally {
      frozen.thaw();
    }
    return () => live.call('give', 'last').then(() => undefined);
  },
};
