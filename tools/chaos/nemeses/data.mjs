// Faults that take the data away, or the time.
import { setClocks } from '../lab/clock-shim.mjs';
import { field } from '../lab/topology.mjs';
import { oneMaster } from './servers.mjs';

/** @import { Nemesis } from './types.mjs' */

/** @type {Nemesis} */
export const flushAll = {
  name: 'flushall',
  groups: { single: 'C', sentinel: 'C', cluster: 'C' },
  lasts: 500,
  start: async ({ lab, struck }) => {
    for (const master of await lab.topology.masters()) await master.call('FLUSHALL');
    struck();
    return async () => undefined;
  },
};

const JUNK = 20_000;
const FILL = `for i = 1, ${JUNK} do redis.call('SET', 'junk:' .. i, string.rep('x', 100)) end`;
const EMPTY = `for i = 1, ${JUNK} do redis.call('DEL', 'junk:' .. i) end`;

/** A server that is full drops whatever keys it likes. @type {Nemesis} */
export const eviction = {
  name: 'eviction',
  groups: { single: 'C' },
  lasts: 1_500,
  start: async ({ lab, struck }) => {
    const server = await oneMaster(lab);
    const used = async () => Number(field(await server.call('INFO', 'memory'), 'used_memory'));
    const before = await used();
    await server.call('EVAL', FILL, 0);
    const full = await used();
    await server.call('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random');
    await server.call('CONFIG', 'SET', 'maxmemory', Math.round(before + (full - before) * 0.3));
    struck();
    return async () => {
      await server.call('CONFIG', 'SET', 'maxmemory', 0);
      await server.call('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
      await server.call('EVAL', EMPTY, 0);
    };
  },
};

let ahead = 0;

/** The server's clock is set half a minute ahead; all leases end at once. @type {Nemesis} */
export const clockJump = {
  name: 'clock-jump',
  groups: { single: 'C' },
  compiler: true,
  servers: { skewed: true },
  lasts: 500,
  start: async ({ lab, struck }) => {
    // Never back: keys would live as much longer.
    setClocks(lab.dir, (ahead += 30_000));
    struck();
    return async () => undefined;
  },
};
