/**
 * @typedef {'lock' | 'fair' | 'semaphore'} Kind
 *
 * @typedef {object} Target what callers compete for
 * @property {Kind} kind
 * @property {string} key
 * @property {number} limit how many may hold it at once
 *
 * @typedef {'no-deadline' | 'blind-delete' | 'no-fence'} Mutant a deliberate fault, which the checker must find:
 *   a client that goes on after its lease, a client that deletes a lock without asking whose it is, a resource that takes
 *   every write
 *
 * @typedef {object} ClientSettings what a client process is started with; it crosses to it as JSON
 * @property {string} name
 * @property {object} connection
 * @property {string} history file
 * @property {string} register path of the socket of the resource
 * @property {number} callers
 * @property {number} [replicas] that must have a lock before a caller gets it
 * @property {Mutant} [mutant]
 *
 * What a client process writes down, a line of JSON each; `at` is ms on the monotonic clock, which all processes of a machine
 * share. `id` is one attempt, unique within the process.
 *
 * @typedef {{ e: 'attempt', at: number, id: number, kind: Kind, key: string, wait: number }} Attempt
 * @typedef {{ e: 'busy' | 'unavailable', at: number, id: number, reason: string }} Refused
 * @typedef {{ e: 'entered', at: number, id: number, kind: Kind, key: string, fence: number, token: string, deadline: number }} Entered
 *   with the end of the lease as the library believes
 * @typedef {{ e: 'seen', at: number, id: number, deadline: number }} Seen the lease was renewed
 * @typedef {{ e: 'lost' | 'left' | 'vanished', at: number, id: number }} Ended the holder was told; it stops; it forgets to release
 * @typedef {{ e: 'released', at: number, id: number, ours: boolean | null }} Released null: no answer
 * @typedef {{ e: 'log', at: number, level: string, text: string }} Logged
 * @typedef {{ e: 'unhandled' | 'failed', at: number, text: string }} Failed a rejection that nobody handled; an outcome that
 *   no caller should see
 *
 * @typedef {Attempt | Refused | Entered | Seen | Ended | Released | Logged | Failed} ClientEvent
 *
 * @typedef {object} Write what the resource writes down
 * @property {number} at
 * @property {string} key
 * @property {number} fence
 * @property {string} token
 * @property {boolean} accepted
 */
export {};
