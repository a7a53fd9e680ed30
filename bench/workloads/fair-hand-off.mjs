import { compete } from '../measure/compete.mjs';
import { entrants } from './entrants.mjs';

/** @type {import('../measure/types.mjs').Workload} */
export const FAIR_HAND_OFF = {
  id: 'fair-hand-off',
  title: 'the hand-off of @FairLock, 4 x 8 callers, and what messages cost under the same load',
  quick: true,
  run: async (bench) => {
    const rows = await compete(bench, entrants(['ours-fair'], { processes: 4, callers: 8, hold: 0, probe: true }));
    const figures = rows[0]?.figures;
    if (figures === undefined) return { rows, facts: [] };
    const { handOff50, release50, hop50 = NaN, publish50 = NaN, ping50 = NaN } = figures;
    // From the server on: what the call needed to get there is in the half of the release already.
    const oneWay = hop50 - publish50 / 2;
    const facts = [
      { id: 'ping', text: 'round trip of PING under this load, p50', value: ping50, unit: 'ms' },
      { id: 'release', text: 'round trip of a release, p50', value: release50, unit: 'ms' },
      { id: 'hop', text: 'from the call of PUBLISH to its message in another process, p50', value: hop50, unit: 'ms' },
      {
        id: 'one-way',
        text: 'the part of it from the server on (less half of its own round trip)',
        value: oneWay,
        unit: 'ms',
      },
      { id: 'hand-off', text: 'hand-off, p50', value: handOff50, unit: 'ms' },
      {
        id: 'ratio',
        text: 'hand-off / (half a release + message from the server on)',
        value: handOff50 / (release50 / 2 + oneWay),
        unit: '',
      },
      {
        id: 'loose-ratio',
        text: 'hand-off / (half a release + whole message)',
        value: handOff50 / (release50 / 2 + hop50),
        unit: '',
      },
    ];
    return { rows, facts };
  },
};
