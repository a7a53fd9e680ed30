/**
 * @typedef {object} Connected what every contender offers, so that one loop can drive all of them
 * @property {(key: string, task: Task, signal?: AbortSignal) => Promise<unknown>} withLock
 * @property {(key: string, limit: number, task: Task) => Promise<unknown>} [withPermit]
 * @property {() => Promise<unknown>} close
 *
 * @typedef {() => void | Promise<void>} Task
 *
 * @typedef {(url: string, settings: any) => Promise<Connected>} Connect
 *
 * @typedef {object} Contender
 * @property {string} id
 * @property {string} title
 * @property {'ours' | 'raw' | 'peer'} kind
 * @property {string} file in this folder, exports `connect`
 * @property {object} settings
 * @property {'best' | 'default'} tuning the best that its documentation offers, or what it does when nothing is said
 * @property {readonly string[]} sends the commands that it sends itself; those that only its scripts run do not count
 */
export {};
