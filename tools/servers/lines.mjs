/**
 * @typedef {object} ServerLine one released line of a server, and the Debian suite whose packages hold it
 * @property {string} name
 * @property {string} suite
 * @property {'redis' | 'valkey'} product
 * @property {RegExp} version
 * @property {boolean} exact whether it also has the very commands and words that the embedded server imitates
 */

/** @type {readonly ServerLine[]} */
export const LINES = [
  { name: 'redis-6.0', suite: 'bullseye', product: 'redis', version: /^6\.0\./, exact: false },
  { name: 'redis-7.0', suite: 'bookworm', product: 'redis', version: /^7\.0\./, exact: true },
  { name: 'redis-8.0', suite: 'trixie', product: 'redis', version: /^8\.0\./, exact: true },
  { name: 'valkey-8.1', suite: 'trixie', product: 'valkey', version: /^8\.1\./, exact: false },
];

/** What locks and semaphores do, on any server. */
const LOCKS = 'contract/(channels|lock-scripts|locks)|integration/(waiting|inspect-and-force)';
const WORDS = 'contract/(commands|script-features)';

/**
 * @param {ServerLine} line
 * @returns {string[]} arguments for Jest
 */
export function testsFor({ exact }) {
  return ['--selectProjects', 'contract', 'integration', '--testPathPatterns', exact ? `${LOCKS}|${WORDS}` : LOCKS];
}
