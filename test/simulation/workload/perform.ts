import { LockBusyError, LockClosedError, LockLostError, LockUnavailableError } from '../../../lib/errors/index.js';
import type { Lease } from '../../../lib/interfaces/lease.interface.js';
import { attempts } from '../client/recording-engine.js';
import type { SimClient } from '../client/sim-client.js';
import type { Scheduler } from '../core/scheduler.js';
import type { Attempt, Outcome } from '../history/attempt.js';

/** Makes one call of the library and writes down what comes of it. */
export async function perform(attempt: Attempt, client: SimClient, scheduler: Scheduler): Promise<void> {
  const canceller = new AbortController();
  if (attempt.patience !== Infinity) {
    scheduler.plan(attempt.patience, 'call', () => {
      if (attempt.enteredAt !== undefined || attempt.endedAt !== undefined) return;
      attempt.abortedAt = scheduler.now;
      canceller.abort(CANCELLED);
    });
  }
  try {
    await attempts.run(attempt, () => call(attempt, client, scheduler, canceller.signal));
    attempt.outcome = 'done';
  } catch (error) {
    attempt.outcome = outcomeOf(error, attempt);
    attempt.error = String(error);
  }
  attempt.endedAt = scheduler.now;
}

const CANCELLED = new Error('cancelled by the program');

async function call(attempt: Attempt, client: SimClient, scheduler: Scheduler, signal: AbortSignal): Promise<void> {
  const { service } = client;
  const { kind, key, limit, ttl, renew, fair, wait, minHold, style } = attempt;
  const options = { ttl, renew, wait, minHold, ...(attempt.patience === Infinity ? {} : { signal }) };
  if (style === 'section') {
    const task = (lease: Lease): Promise<void> => work(attempt, lease, client, scheduler);
    if (kind === 'lock') return service.withLock(key, { ...options, fair }, task);
    return service.withSemaphore(key, limit, options, task);
  }
  const lease =
    kind === 'lock'
      ? await service.acquire(key, { ...options, fair })
      : await service.acquireSemaphore(key, limit, options);
  if (attempt.abandons) return abandon(attempt, lease, client, scheduler);
  await work(attempt, lease, client, scheduler);
  attempt.released = await lease.release();
}

async function work(attempt: Attempt, lease: Lease, client: SimClient, scheduler: Scheduler): Promise<void> {
  enter(attempt, lease, client, scheduler);
  const { signal } = lease;
  const lost = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  if (!(attempt.obedient && signal.aborted)) {
    const done = scheduler.sleep(attempt.hold);
    await (attempt.obedient ? Promise.race([done, lost]) : done);
  }
  attempt.leftAt = scheduler.now;
  client.inside.delete(attempt);
}

function enter(attempt: Attempt, lease: Lease, client: SimClient, scheduler: Scheduler): void {
  const { signal } = lease;
  const note = (): void => void (attempt.lostAt ??= scheduler.now);
  if (signal.aborted) note();
  else signal.addEventListener('abort', note);
  attempt.enteredAt = scheduler.now;
  attempt.token = lease.token;
  attempt.fence = lease.fence;
  client.inside.add(attempt);
}

/** The handle is lost; some time after the last use the collector of garbage finds it. */
function abandon(attempt: Attempt, lease: Lease, client: SimClient, scheduler: Scheduler): void {
  enter(attempt, lease, client, scheduler);
  client.dropped.push(lease);
  scheduler.plan(attempt.hold, 'call', () => {
    attempt.abandonedAt = scheduler.now;
    client.engine.holding(attempt)?.abandon();
  });
}

function outcomeOf(error: unknown, attempt: Attempt): Outcome {
  if (error === CANCELLED) return 'aborted';
  if (error instanceof LockBusyError) return 'busy';
  if (error instanceof LockClosedError) return 'closed';
  if (error instanceof LockLostError) return 'lost';
  // Of a release: the work was done.
  if (error instanceof LockUnavailableError) return attempt.leftAt === undefined ? 'unavailable' : 'done';
  return 'failed';
}
