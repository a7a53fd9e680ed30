/** @import { Contender } from './types.mjs' */

/** What a library sends that takes with SET and gives back with a script. */
const SET_AND_SCRIPT = ['set', 'evalsha'];
const SCRIPTS = ['evalsha', 'eval'];
/** Tries again soon, and as often as it takes: attempts and waits of the peers that poll. */
const SOON = { retryDelay: 5, retryJitter: 5 };

/** @type {readonly Contender[]} */
export const CONTENDERS = [
  ours('ours', '@WithLock', {}),
  ours('ours-fair', '@FairLock', { options: { fair: true } }),
  ours('ours-background', '@WithLock, background release', { options: { releaseMode: 'background' } }),
  raw('ping', 'PING', 'ping', ['ping']),
  raw('raw', 'SET NX PX + compare-and-delete', 'raw', SET_AND_SCRIPT),
  raw('raw-auto', 'the same, auto-pipelining', 'raw', SET_AND_SCRIPT, { client: { enableAutoPipelining: true } }),
  raw('no-lock', 'as many callers as permits, no lock', 'no-lock', []),
  ...peer('redis-semaphore', 'redis-semaphore', SET_AND_SCRIPT, {
    best: { options: { retryInterval: 5, acquireTimeout: 60_000 } },
    default: { options: {} },
  }),
  ...peer('redlock-4', 'redlock 4', SCRIPTS, {
    best: { options: { retryCount: -1, ...SOON } },
    default: {},
  }),
  ...peer('redlock-5', 'redlock 5 beta', SCRIPTS, {
    best: { package: 'redlock', options: { retryCount: -1, ...SOON } },
    default: { package: 'redlock' },
  }),
  ...peer('sesamecare', '@sesamecare-oss/redlock', SCRIPTS, {
    file: 'redlock-5',
    best: { package: '@sesamecare-oss/redlock', options: { retryCount: -1, ...SOON } },
    default: { package: '@sesamecare-oss/redlock' },
  }),
  ...peer('redlock-universal', 'redlock-universal', SET_AND_SCRIPT, {
    best: { options: { retryAttempts: 1e6, retryDelay: SOON.retryDelay, performance: 'lean' } },
    default: {},
  }),
  ...peer('murlock', 'murlock', SCRIPTS, {
    best: { options: { blocking: true, wait: SOON.retryDelay } },
    // It has none; those of its README.
    default: { options: { wait: 1000, maxAttempts: 3 } },
  }),
  ...peer('nest-redlock', '@anchan828/nest-redlock', SCRIPTS, {
    best: { settings: { retryCount: -1, ...SOON } },
    default: {},
  }),
  ...peer('wake-all', 'model: publish, wake all', [...SET_AND_SCRIPT, 'subscribe'], { best: {} }),
];

/**
 * @param {string} id
 * @param {string} title
 * @param {object} settings
 * @returns {Contender}
 */
function ours(id, title, settings) {
  const sends = [...SCRIPTS, 'ping', 'hello', 'subscribe', 'wait'];
  return { id, title, kind: 'ours', file: 'ours', settings, tuning: 'default', sends };
}

/**
 * @param {string} id
 * @param {string} title
 * @param {string} file
 * @param {readonly string[]} sends
 * @param {object} [settings]
 * @returns {Contender}
 */
function raw(id, title, file, sends, settings = {}) {
  return { id, title, kind: 'raw', file, settings, tuning: 'best', sends };
}

/**
 * @param {string} id
 * @param {string} title
 * @param {readonly string[]} sends
 * @param {{ file?: string, best: object, default?: object }} settings
 * @returns {Contender[]}
 */
function peer(id, title, sends, { file = id, best, default: defaults }) {
  const common = /** @type {const} */ ({ kind: 'peer', file, sends });
  return [
    { id, title, settings: best, tuning: 'best', ...common },
    ...(defaults
      ? [
          /** @type {const} */ ({
            id: `${id}-default`,
            title: `${title}, defaults`,
            settings: defaults,
            tuning: 'default',
            ...common,
          }),
        ]
      : []),
  ];
}

/** @param {string} id */
export function contender(id) {
  const found = CONTENDERS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no contender ${id}`);
  return found;
}
