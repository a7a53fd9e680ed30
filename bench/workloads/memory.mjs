import { contender } from '../contenders/index.mjs';

/** @type {import('../measure/types.mjs').Workload} */
export const MEMORY = {
  id: 'memory',
  title: 'memory of a process: 100,000 keys once each, 10,000 callers that wait',
  quick: false,
  run: async ({ pool, url }) => {
    const one = contender('ours');
    const busyKey = 'memory:busy';
    const [holder] = await pool.workers({ ...one, id: 'ours-holder' }, 1, url);
    await holder?.job('hold', { keys: [busyKey] });
    const worker = pool.single(['--expose-gc']);
    await worker.open(one, url);
    const { heapGrowth, perWaiter } = /** @type {{ heapGrowth: number, perWaiter: number }} */ (
      await worker.job('memory', { keys: 100_000, waiters: 10_000, busyKey })
    );
    await worker.close();
    await holder?.job('give-back');
    return {
      rows: [],
      facts: [
        { id: 'growth', text: 'heap after 100,000 keys, against before', value: heapGrowth / 1024, unit: 'kB' },
        { id: 'waiter', text: 'heap for each of 10,000 waiting callers', value: perWaiter, unit: 'bytes' },
      ],
    };
  },
};
