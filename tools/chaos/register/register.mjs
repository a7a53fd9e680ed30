/** @import { Write } from '../types.mjs' */

/** A store that remembers the highest fence per key and takes no lower one. */
export class Register {
  /** @type {Map<string, number>} */
  #highest = new Map();
  #checks;

  /** @param {boolean} checks false: it takes every write */
  constructor(checks) {
    this.#checks = checks;
  }

  /**
   * @param {Pick<Write, 'key' | 'fence'>} write
   * @returns {boolean} whether it was accepted
   */
  write({ key, fence }) {
    const highest = this.#highest.get(key) ?? 0;
    if (this.#checks && fence < highest) return false;
    this.#highest.set(key, Math.max(fence, highest));
    return true;
  }
}
