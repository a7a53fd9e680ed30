/** Taken when this file is loaded: fake timers replace the global ones, and bytes have to move all the same. */
const nextTurn = setImmediate;
const nextJob = queueMicrotask;
const nextTick = process.nextTick.bind(process);

/** Enough for anything but a loop that would keep timers and sockets waiting for ever. */
const MOST_IN_ONE_TURN = 10_000;

let inThisTurn = 0;

/**
 * Calls back after the running code, yet before the next timer: whoever moves a fake clock finds every command answered.
 * Those who go on and on let the rest of the process run in between.
 */
export function soon(callback: () => void): void {
  if (inThisTurn++ === 0) nextTurn(() => (inThisTurn = 0));
  if (inThisTurn <= MOST_IN_ONE_TURN) nextJob(callback);
  else nextTurn(callback);
}

/** The same, when all jobs that the running code has begun have ended: a client has its listeners in place by then. */
export function afterJobs(callback: () => void): void {
  nextJob(() => nextTick(callback));
}
