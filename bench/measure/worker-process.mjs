// A process with one contender, driven by messages; see worker.mjs.

/**
 * @import { Connect, Connected, Contender } from '../contenders/types.mjs'
 *
 * @typedef {object} Place what a job has
 * @property {Connected} contender
 * @property {string} url
 *
 * @typedef {(place: Place, order: any) => unknown} Job
 */

/** @type {Place | undefined} */
let place;

const commands = {
  /** @param {Contender} contender @param {string} url */
  open: async ({ file, settings }, url) => {
    const { connect } = /** @type {{ connect: Connect }} */ (await import(`../contenders/${file}.mjs`));
    place = { contender: await connect(url, settings), url };
  },
  /** @param {string} name @param {unknown} order */
  job: async (name, order) => {
    const { run } = /** @type {{ run: Job }} */ (await import(`../jobs/${name}.mjs`));
    return run(/** @type {Place} */ (place), order);
  },
  close: async () => {
    await place?.contender.close();
    process.disconnect();
    process.exit();
  },
};

/** @param {{ id: number, command: keyof typeof commands, args: any[] }} message */
async function answer({ id, command, args }) {
  const run = /** @type {(...args: any[]) => Promise<unknown>} */ (commands[command]);
  try {
    process.send?.({ id, result: await run(...args) });
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

process.on('message', (message) => void answer(/** @type {Parameters<typeof answer>[0]} */ (message)));
// The run is gone.
process.on('disconnect', () => process.exit());
