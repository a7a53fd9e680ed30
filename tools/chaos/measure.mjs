import { Fleet } from './clients/fleet.mjs';
import { Lab } from './lab/lab.mjs';
import { waitFor } from './wait-for.mjs';

const ROUNDS = 10;
const TIMES = 100;

/** @param {readonly number[]} values */
const median = (values) => /** @type {number} */ (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]);

/**
 * What it costs that every replica must have a lock: an acquire with and one without in turn, in one process, with nobody else.
 *
 * @param {{ faultyNetwork: boolean }} means
 * @param {(text: string) => void} print
 */
export async function measureReplicas(means, print) {
  const lab = await Lab.open('sentinel', { durable: false, skewed: false, ...means });
  try {
    const fleet = new Fleet(lab, { processes: 1, callers: 0, replicas: 0 });
    await fleet.open();
    await waitFor('a sound Redis', () => lab.topology.healthy());
    const [client] = fleet.clients;
    /** @type {{ without: number[], every: number[] }} */
    const took = { without: [], every: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const without = (await client?.call('latency', 'measured', TIMES, 0)) ?? [];
      const every = (await client?.call('latency', 'measured', TIMES, lab.topology.replicas)) ?? [];
      // The first round is for connections and compilers.
      if (round === 0) continue;
      took.without.push(...without);
      took.every.push(...every);
    }
    await fleet.close();
    const [plain, confirmed] = [median(took.without), median(took.every)];
    print(
      `acquire, median of ${took.without.length}: ${plain.toFixed(3)} ms; with both replicas: ${confirmed.toFixed(3)} ms`,
    );
    print(`ratio: ${(confirmed / plain).toFixed(1)}`);
    return true;
  } finally {
    await lab.close();
  }
}
