import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** @import { Redis } from 'ioredis' */
/** @import { Kind } from '../types.mjs' */

/** One client process at the resource; answers come in the order of the writes. */
export class RegisterClient {
  #socket;
  /** @type {((accepted: boolean) => void)[]} */
  #pending = [];
  #redis;

  /**
   * @param {string} path of the socket
   * @param {Redis | undefined} redis that of a mutant, which deletes by itself
   */
  constructor(path, redis) {
    this.#redis = redis;
    this.#socket = connect(path);
    createInterface({ input: this.#socket }).on('line', (line) => this.#pending.shift()?.(line === '1'));
  }

  /**
   * @param {string} key
   * @param {number} fence
   * @param {string} token
   * @returns {Promise<boolean>} whether it was accepted
   */
  write(key, fence, token) {
    return new Promise((resolve) => {
      this.#pending.push(resolve);
      this.#socket.write(`${JSON.stringify({ key, fence, token })}\n`);
    });
  }

  /**
   * @param {Kind} kind
   * @param {string} key
   */
  async blindDelete(kind, key) {
    await this.#redis?.del(`${kind === 'semaphore' ? kind : 'lock'}:${key}`).catch(() => undefined);
  }

  close() {
    this.#redis?.disconnect();
    this.#socket.end();
  }
}
