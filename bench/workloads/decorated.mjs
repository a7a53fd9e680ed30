/** @type {import('../measure/types.mjs').Workload} */
export const DECORATED = {
  id: 'decorated',
  title: 'a decorated call without Redis: a service that grants everything at once',
  quick: true,
  run: async ({ pool, options }) => {
    const worker = pool.single();
    const calls = options.full ? 100_000 : 20_000;
    const { bare, decorated } = /** @type {{ bare: number, decorated: number }} */ (
      await worker.job('decorated', { rounds: Math.max(5, options.rounds), calls })
    );
    await worker.close();
    return {
      rows: [],
      facts: [
        { id: 'bare', text: 'the bare call', value: bare, unit: 'us' },
        { id: 'over', text: 'what the decorator adds', value: decorated - bare, unit: 'us' },
      ],
    };
  },
};
