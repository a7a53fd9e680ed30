import { describe, expect, it } from '@jest/globals';
import { MUTANTS } from './mutants/index.js';
import { simulate } from './run/simulate.js';

const MINUTES = 60_000;

describe('the simulation', () => {
  it('lets the same happen for the same seed, whatever process it is in and whatever ran there before', async () => {
    const options = ['--seconds', '15'];
    const [[alone], [after]] = await Promise.all([
      simulate('--seed', '6', ...options),
      simulate('--from', '5', '--seeds', '2', ...options),
    ]);
    expect(alone?.hashes).toHaveLength(1);
    expect(after?.hashes).toEqual([expect.any(String), alone?.hashes[0]]);
    expect(after?.hashes[0]).not.toBe(alone?.hashes[0]);
  });

  it(
    'sees every promise kept under faults of clients, network and a server that keeps its data',
    async () => {
      const batches = await Promise.all(
        ['1', '7'].map((from) => simulate('--from', from, '--seeds', '6', '--seconds', '30')),
      );
      for (const { violations, grants, strikes } of batches.flat()) {
        expect(violations).toEqual({});
        expect(grants).toBeGreaterThan(300);
        expect(strikes).toBeGreaterThan(50);
      }
    },
    5 * MINUTES,
  );

  it.each(['restart-empty', 'clock-forward'])(
    'sees two holders after %s, which is documented, and nothing else wrong',
    async (fault) => {
      const [batch] = await simulate('--faults', fault, '--seeds', '3', '--seconds', '30');
      expect(batch?.expected).toBeGreaterThan(0);
      expect(batch?.unexpected).toBe(0);
    },
    5 * MINUTES,
  );

  it(
    'finds each of the faults that were built into the library within thirty seeds',
    async () => {
      const names = MUTANTS.map(({ name }) => name);
      const halves = [names.filter((_, i) => i % 2 === 0), names.filter((_, i) => i % 2 === 1)];
      const batches = await Promise.all(
        halves.map((half) => simulate('--mutant', half.join(','), '--seeds', '30', '--seconds', '40')),
      );
      const found = batches.flat().filter(({ failing }) => failing.length > 0);
      expect(found.map(({ name }) => name).sort()).toEqual(names.sort());
    },
    15 * MINUTES,
  );
});
