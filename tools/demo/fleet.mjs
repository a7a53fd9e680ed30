import { SampleProcess } from './sample-process.mjs';

/** @import { Answer } from './sample-process.mjs' */
/** @import { RedisServer } from '../redis/types.mjs' */
/** @import { Journals } from './journals.mjs' */

export const FLEET_SIZE = 3;
/** Seconds between two runs of the job that is nightly in earnest. */
export const NIGHTLY_EVERY = 2;

/** Several processes of the sample app on one Redis. */
export class Fleet {
  /** @param {SampleProcess[]} processes */
  constructor(processes) {
    this.processes = processes;
    /** Wall-clock time from which on all of them were there. */
    this.readyAt = 0;
  }

  /**
   * @param {RedisServer} redis
   * @param {Journals} journals
   * @param {{ unlocked: boolean }} options
   */
  static async start(redis, journals, { unlocked }) {
    const env = {
      REDIS_URL: redis.url,
      PORT: '0',
      NIGHTLY_CRON: `*/${NIGHTLY_EVERY} * * * * *`,
      UNLOCKED: unlocked ? '1' : '0',
    };
    const fleet = new Fleet(
      Array.from({ length: FLEET_SIZE }, () => new SampleProcess({ ...env, JOURNAL_FILE: journals.nextFile() })),
    );
    try {
      await Promise.all(fleet.processes.map((one) => one.ready()));
      // The first request of a process takes several times as long.
      await fleet.volley(3 * FLEET_SIZE, (one) => one.get('/journal'));
    } catch (error) {
      await fleet.stop();
      throw error;
    }
    fleet.readyAt = Date.now();
    return fleet;
  }

  /**
   * @param {number} index counts on around the processes
   * @returns {SampleProcess}
   */
  at(index) {
    return /** @type {SampleProcess} */ (this.processes[index % this.processes.length]);
  }

  get pids() {
    return this.processes.map(({ pid }) => pid);
  }

  /**
   * Sends so many requests at once, to all processes in turn.
   *
   * @param {number} times
   * @param {(one: SampleProcess, arrival: number) => Promise<Answer>} send
   */
  volley(times, send) {
    return Promise.all(Array.from({ length: times }, (_, index) => send(this.at(index), index + 1)));
  }

  /** @param {number} [patience] ms */
  async stop(patience) {
    await Promise.all(this.processes.map((one) => one.stop(patience)));
  }
}
