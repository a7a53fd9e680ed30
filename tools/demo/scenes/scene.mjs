/**
 * @typedef {object} Scene what a scene works with
 * @property {import('../fleet.mjs').Fleet} fleet
 * @property {import('../journals.mjs').Journals} journals
 * @property {import('../report.mjs').Report} report
 * @property {import('../../redis/types.mjs').RedisServer} redis
 */
export {};
