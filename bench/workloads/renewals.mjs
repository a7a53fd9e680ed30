import { setTimeout as sleep } from 'node:timers/promises';
import { contender } from '../contenders/index.mjs';
import { difference } from '../measure/server-counters.mjs';

const LEASES = 10_000;
const TTL = 6_000;
/** Leases are renewed at a third of them, ms. */
const PERIOD = TTL / 3;
const PERIODS = 4;

/** @type {import('../measure/types.mjs').Workload} */
export const RENEWALS = {
  id: 'renewals',
  title: `${LEASES} locks are held and renewed by one process`,
  quick: false,
  run: async ({ pool, url, counters }) => {
    const one = { ...contender('ours'), id: 'ours-short-lease', settings: { options: { ttl: TTL } } };
    const [worker] = await pool.workers(one, 1, url);
    const keys = Array.from({ length: LEASES }, (_, i) => `renewed:${i}`);
    await worker?.job('hold', { keys });
    await sleep(PERIOD);
    const before = await counters.read();
    await sleep(PERIODS * PERIOD);
    const used = difference(before, await counters.read(), one.sends);
    const left = await counters.client.keys('*renewed:*');
    await worker?.job('give-back');
    const each = LEASES * PERIODS;
    return {
      rows: [],
      facts: [
        {
          id: 'commands',
          text: 'commands for each 100 leases and period',
          value: (used.commands / each) * 100,
          unit: '',
        },
        { id: 'cpu', text: 'server time of one renewal', value: (used.cpuMs * 1000) / each, unit: 'us' },
        { id: 'bytes', text: 'bytes of one renewal', value: used.bytes / each, unit: '' },
        { id: 'held', text: 'of them still held', value: left.length, unit: 'locks' },
      ],
    };
  },
};
