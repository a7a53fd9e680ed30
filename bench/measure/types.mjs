/**
 * @import { Contender } from '../contenders/types.mjs'
 * @import { Hot } from './profile.mjs'
 * @import { Pool } from './pool.mjs'
 * @import { ServerCounters } from './server-counters.mjs'
 *
 * @typedef {object} Load what a workload asks of its callers
 * @property {number} processes
 * @property {number} callers in each
 * @property {number} hold ms in each section, 0 for an empty one
 * @property {boolean} [ownKeys] each caller has a key of its own
 * @property {number} [limit] of a semaphore
 * @property {boolean} [steady] only what happens in the measured time counts, and who still waits at its end leaves
 * @property {number} [first] seconds before the first round, at least
 * @property {number} [warmUp] ms before the measured time of each turn
 * @property {boolean} [profile] say where the time of the first process goes
 * @property {boolean} [probe] measure what messages cost under this load
 *
 * @typedef {object} Figures of one turn of one contender; of a row their medians, and sums or maxima where marked
 * @property {number} rate operations per second
 * @property {number} handOff50 ms
 * @property {number} handOff99 ms
 * @property {number} release50 how long a release took, ms
 * @property {number} commands per operation
 * @property {number} bytes per operation
 * @property {number} clientCpu us per operation, of all processes
 * @property {number} serverCpu us per operation
 * @property {number} scriptUs us per operation, the part of it that ran commands
 * @property {number} jain
 * @property {number} longestWait ms (maximum)
 * @property {number} failures (sum)
 * @property {number} violations of exclusion (sum)
 * @property {string} [failure] the first one
 * @property {number} [hop50] from the call of PUBLISH to its message in another process, ms
 * @property {number} [publish50] from the call of PUBLISH to its own reply, ms
 * @property {number} [ping50] ms
 * @property {Hot[]} [hot] where the time of the first process went
 *
 * @typedef {object} Row
 * @property {Contender} contender
 * @property {string} title
 * @property {Figures} [figures]
 * @property {Hot[]} [hot] where the time of a process went, in a turn of its own
 * @property {string} [broken] why there are none
 *
 * @typedef {object} Fact a figure that is no rate
 * @property {string} id
 * @property {string} text
 * @property {number} value
 * @property {string} unit
 *
 * @typedef {object} Result
 * @property {string} id
 * @property {string} title
 * @property {Row[]} rows
 * @property {Fact[]} facts
 *
 * @typedef {object} Bench where a workload runs
 * @property {string} url
 * @property {number} port
 * @property {Pool} pool
 * @property {ServerCounters} counters
 * @property {{ seconds: number, rounds: number, full: boolean, peers: boolean, profile: boolean }} options
 *
 * @typedef {object} Workload
 * @property {string} id
 * @property {string} title
 * @property {boolean} quick one of those of `npm run bench`
 * @property {(bench: Bench) => Promise<Pick<Result, 'rows' | 'facts'>>} run
 */
export {};
