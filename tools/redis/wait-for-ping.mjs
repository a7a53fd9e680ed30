import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {{ host: string, port: number } | { path: string }} Address
 *
 * @param {Address} address
 * @returns {Promise<boolean>} whether a Redis answers there
 */
export function ping(address) {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: 1_000 });
    /** @param {boolean} answer */
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => socket.write('PING\r\n'));
    // A server with a password refuses, but it is there.
    socket.on('data', (data) => end(/^(\+PONG|-NOAUTH)/.test(String(data))));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
  });
}

/**
 * @param {Address} address
 * @param {{ timeout: number, stillComing?: () => boolean }} options
 * @returns {Promise<boolean>}
 */
export async function waitForPing(address, { timeout, stillComing }) {
  const deadline = performance.now() + timeout;
  while (performance.now() < deadline && stillComing?.() !== false) {
    if (await ping(address)) {
      return true;
    }
    await sleep(20);
  }
  return false;
}
