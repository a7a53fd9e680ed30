/**
 * @typedef {object} ServerLine one released line of a server, and the Debian suite whose packages hold it
 * @property {string} name
 * @property {string} suite
 * @property {'redis' | 'valkey'} product
 * @property {RegExp} version
 */

/** @type {readonly ServerLine[]} */
export const LINES = [
  { name: 'redis-6.0', suite: 'bullseye', product: 'redis', version: /^6\.0\./ },
  { name: 'redis-7.0', suite: 'bookworm', product: 'redis', version: /^7\.0\./ },
  { name: 'redis-8.0', suite: 'trixie', product: 'redis', version: /^8\.0\./ },
  { name: 'valkey-8.1', suite: 'trixie', product: 'valkey', version: /^8\.1\./ },
];
