import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.mjs';
import { planHold, STEP, TARGETS, TTL, WAIT } from './workload.mjs';

/**
 * @import { AcquireOptions, Lease, LockService } from 'nestjs-redis-lock'
 * @import { ClientSettings, Target } from '../types.mjs'
 * @import { History } from './history.mjs'
 * @import { RegisterClient } from '../register/register-client.mjs'
 */

/** Lengthening of a lease that is worth a note, ms. */
const RENEWED = 5;
/** A mutant without a deadline believes that it holds for ever. */
const FOR_EVER = 1e12;

let attempts = 0;

/** One that takes and gives back locks until it is told to be quiet. */
export class Caller {
  #locks;
  #history;
  #register;
  #settings;
  #quiet;
  #fair;

  /**
   * @param {LockService} locks
   * @param {History} history
   * @param {RegisterClient} register
   * @param {ClientSettings} settings
   * @param {AbortSignal} quiet
   * @param {boolean} fair whether it asks for exact order on every lock, as it may beside others that do not
   */
  constructor(locks, history, register, settings, quiet, fair) {
    this.#locks = locks;
    this.#history = history;
    this.#register = register;
    this.#settings = settings;
    this.#quiet = quiet;
    this.#fair = fair;
  }

  async run() {
    while (!this.#quiet.aborted) {
      const target = /** @type {Target} */ (TARGETS[Math.floor(Math.random() * TARGETS.length)]);
      if (!(await this.once(target))) await sleep(30 + Math.random() * 60);
    }
  }

  /**
   * @param {Target} target
   * @returns {Promise<boolean>} whether it got in
   */
  async once(target) {
    const id = (attempts += 1);
    const plan = planHold();
    const wait = plan.tries ? 0 : WAIT;
    const { kind, key } = target;
    this.#history.note({ e: 'attempt', id, kind, key, wait });
    /** @type {AcquireOptions} */
    const options = { ttl: TTL, wait, signal: this.#quiet };
    if (kind === 'fair' || (kind === 'lock' && this.#fair)) options.fair = true;
    if (plan.vanishes) options.renew = false;
    try {
      if (plan.vanishes || Math.random() < 0.5)
        await this.#byHandle(id, target, options, plan.vanishes ? null : plan.length);
      else await this.#bySection(id, target, options, plan.length);
      return true;
    } catch (error) {
      this.#refused(id, error);
      return false;
    }
  }

  /**
   * @param {number} id
   * @param {Target} target
   * @param {AcquireOptions} options
   * @param {number | null} length null: it forgets to release
   */
  async #byHandle(id, { kind, key, limit }, options, length) {
    const lease =
      kind === 'semaphore'
        ? await this.#locks.acquireSemaphore(key, limit, options)
        : await this.#locks.acquire(key, options);
    this.#enter(id, kind, key, lease);
    if (length === null) return this.#history.note({ e: 'vanished', id });
    await this.#hold(id, kind, key, lease, length);
    await this.#release(id, kind, key, lease);
  }

  /**
   * @param {number} id
   * @param {Target} target
   * @param {AcquireOptions} options
   * @param {number} length
   */
  async #bySection(id, { kind, key, limit }, options, length) {
    let entered = false;
    /** @param {Lease} lease */
    const task = async (lease) => {
      entered = true;
      this.#enter(id, kind, key, lease);
      await this.#hold(id, kind, key, lease, length);
      if (this.#settings.mutant === 'blind-delete') await this.#register.blindDelete(kind, key);
    };
    try {
      if (kind === 'semaphore') await this.#locks.withSemaphore(key, limit, options, task);
      else await this.#locks.withLock(key, options, task);
      this.#history.note({ e: 'released', id, ours: true });
    } catch (error) {
      if (!entered) throw error;
      this.#releaseFailed(id, error);
    }
  }

  /**
   * @param {number} id
   * @param {Target['kind']} kind
   * @param {string} key
   * @param {Lease} lease
   */
  #enter(id, kind, key, lease) {
    const at = now();
    const { fence, token } = lease;
    this.#history.note({ e: 'entered', id, kind, key, fence, token, deadline: this.#deadlineOf(lease, at) }, at);
    lease.signal.addEventListener('abort', () => this.#history.note({ e: 'lost', id }), { once: true });
  }

  /**
   * Uses the resource for so long: looks whether the lease is held, works for a moment, writes. Whoever is stopped between
   * the look and the write is late, which only the resource can see.
   *
   * @param {number} id
   * @param {Target['kind']} kind
   * @param {string} key
   * @param {Lease} lease
   * @param {number} length
   */
  async #hold(id, kind, key, lease, length) {
    const end = now() + length;
    let deadline = this.#deadlineOf(lease, now());
    for (;;) {
      if (!lease.held && this.#settings.mutant !== 'no-deadline') break;
      const renewed = this.#deadlineOf(lease, now());
      if (renewed > deadline + RENEWED) this.#history.note({ e: 'seen', id, deadline: (deadline = renewed) });
      const left = this.#quiet.aborted ? 0 : end - now();
      if (left > 0) await sleep(Math.min(left, STEP));
      // Several permits of a semaphore have no order that a resource could keep.
      if (kind !== 'semaphore') await this.#register.write(key, lease.fence, lease.token);
      if (left <= 0) break;
    }
    this.#history.note({ e: 'left', id });
  }

  /**
   * @param {Lease} lease
   * @param {number} at
   */
  #deadlineOf(lease, at) {
    return this.#settings.mutant === 'no-deadline' ? FOR_EVER : at + lease.remaining;
  }

  /**
   * @param {number} id
   * @param {Target['kind']} kind
   * @param {string} key
   * @param {Lease} lease
   */
  async #release(id, kind, key, lease) {
    if (this.#settings.mutant === 'blind-delete') await this.#register.blindDelete(kind, key);
    try {
      this.#history.note({ e: 'released', id, ours: await lease.release() });
    } catch (error) {
      this.#releaseFailed(id, error);
    }
  }

  /**
   * @param {number} id
   * @param {unknown} error
   */
  #releaseFailed(id, error) {
    const { code } = /** @type {{ code?: string }} */ (error);
    if (code === 'LOCK_LOST') this.#history.note({ e: 'released', id, ours: false });
    else if (code === 'LOCK_UNAVAILABLE') this.#history.note({ e: 'released', id, ours: null });
    else this.#unexpected(error);
  }

  /**
   * @param {number} id
   * @param {unknown} error
   */
  #refused(id, error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error);
    if (error === this.#quiet.reason) return;
    if (code === 'LOCK_BUSY') this.#history.note({ e: 'busy', id, reason: '' });
    else if (code === 'LOCK_UNAVAILABLE' || code === 'LOCK_LOST') {
      this.#history.note({ e: 'unavailable', id, reason: String(message) });
    } else this.#unexpected(error);
  }

  /** @param {unknown} error */
  #unexpected(error) {
    this.#history.note({ e: 'failed', text: error instanceof Error ? String(error.stack) : String(error) });
  }
}
