import type { LoggerService } from '@nestjs/common';
import type { AcquireRequest } from '../engine/acquire-request.interface.js';
import type { LockEngine } from '../engine/lock-engine.interface.js';
import { LockBusyError, LockLostError, LockUnavailableError } from '../errors/index.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import { DEFAULT_SETTINGS } from '../options/defaults.js';
import type { Settings } from '../options/settings.interface.js';
import {
  LOST_BEFORE_ENTRY,
  LOST_BEFORE_NESTED,
  NESTED_REFUSED,
  RELEASE_FAILED,
  SIBLING_BUSY,
  WAIT_BOUNDED,
} from '../redis-lock.messages.js';
import { currentFrame, outsideFrames } from './frame-storage.js';
import { Frame } from './frame.js';
import { isBusy } from './is-busy.js';
import { inLockOrder } from './lock-order.js';
import { Place } from './place.js';
import { turnClock } from './turn.js';

/** More would not help a process that is too slow for its leases. */
const MOST_TRIES = 3;

/** What one call asks for. */
export interface EntryRequest {
  readonly kind: LockKind;
  /** All or none of them; at least one. */
  readonly names: readonly string[];
  readonly label: string;
  /** Permits there are; 1 for a lock. */
  readonly limit: number;
  readonly settings: Settings;
}

/** One call on its way in. */
interface Entrance {
  readonly entry: EntryRequest;
  readonly requests: readonly AcquireRequest[];
  readonly enclosing: Frame | undefined;
  /** Of its wait, ms. */
  readonly end: number;
  readonly tries: number;
}

/** The way into the locks of one connection: at once for a call that is inside already, through the engine otherwise. */
export class LockGate {
  constructor(
    readonly engine: LockEngine,
    readonly defaults: Settings,
    readonly logger: LoggerService,
  ) {}

  /**
   * Takes the locks one after the other, in an order that is the same for everybody. When one cannot be had, those before it
   * are given back.
   *
   * @param signal ends the waiting, as the one of the settings does
   * @returns rejects with LockKeyError for an impossible name
   */
  enter(entry: EntryRequest, signal?: AbortSignal): Promise<Frame> {
    try {
      const enclosing = currentFrame();
      const requests = this.requests(entry, signal, enclosing);
      const { wait } = entry.settings;
      return this.take({ entry, requests, enclosing, end: turnClock.now() + wait, tries: 1 }, wait);
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it was thrown
      return Promise.reject(error);
    }
  }

  // Chained rather than awaited: of all that a waiter keeps in memory, frames of asynchronous functions are the most.
  private take(entrance: Entrance, wait: number): Promise<Frame> {
    const { entry, requests } = entrance;
    const { reentrant } = entry.settings;
    const [first] = requests as [AcquireRequest];
    if (requests.length > 1) {
      return this.takeAll(requests, wait, reentrant).then((places) => this.admit(entrance, places));
    }
    return this.pass(withWait(first, wait), reentrant).then((place) => this.admit(entrance, [place]));
  }

  private admit(entrance: Entrance, places: Place[]): Frame | Promise<Frame> {
    const lost = lossOf(places);
    if (lost !== undefined) return this.takeAgain(entrance, places, lost);
    return new Frame(this, entrance.entry, places, entrance.enclosing);
  }

  /** A busy process got to it only after the lease had run out, or one lease did not last while it waited for the next lock. */
  private async takeAgain(entrance: Entrance, places: Place[], lost: LockLostError): Promise<Frame> {
    await this.decline(places);
    const { entry, end, tries } = entrance;
    const left = end - turnClock.now();
    if (tries === MOST_TRIES || left <= 0) throw lostBeforeEntry(entry, lost);
    return this.take({ ...entrance, tries: tries + 1 }, left);
  }

  /**
   * @param wait for all of them, ms
   * @returns places in the order of the requests
   */
  private async takeAll(requests: readonly AcquireRequest[], wait: number, reentrant: boolean): Promise<Place[]> {
    const places = new Map<AcquireRequest, Place>();
    const end = turnClock.now() + wait;
    try {
      for (const request of inLockOrder(requests)) {
        const left = places.size === 0 ? wait : Math.max(0, end - turnClock.now());
        places.set(request, await this.pass(withWait(request, left), reentrant));
      }
    } catch (error) {
      await this.decline([...places.values()]);
      throw error;
    }
    return requests.map((request) => places.get(request) as Place);
  }

  private requests(
    entry: EntryRequest,
    signal: AbortSignal | undefined,
    enclosing: Frame | undefined,
  ): AcquireRequest[] {
    const either = bothSignals(entry.settings.signal, signal);
    const inside = enclosing?.within(this) ?? false;
    const all = entry.names.map((name) => this.request(entry, name, either, inside));
    if (all.length === 1) return all;
    const byOwner = new Map<string, AcquireRequest>();
    for (const request of all) if (!byOwner.has(request.keys.owner)) byOwner.set(request.keys.owner, request);
    return [...byOwner.values()];
  }

  private request(
    { kind, label, limit, settings }: EntryRequest,
    name: string,
    signal: AbortSignal | undefined,
    inside: boolean,
  ): AcquireRequest {
    const { ttl, renew, fair, wait, maxHold, minHold, headStart, replicas } = settings;
    return {
      kind,
      name,
      keys: this.engine.names(kind, name),
      label,
      inside,
      ttl,
      renew,
      fair,
      wait,
      signal,
      maxHold,
      minHold,
      headStart,
      replicas,
      weight: 1,
      limit,
    };
  }

  /** Throws at once where the call cannot enter. */
  private pass(request: AcquireRequest, reentrant: boolean): Promise<Place> {
    const current = currentFrame();
    return current === undefined ? this.acquire(request) : this.passWithin(current, request, reentrant);
  }

  private acquire(request: AcquireRequest): Promise<Place> {
    const { owner } = request.keys;
    return outsideFrames(() => this.engine.acquire(request)).then((holding) => Place.outermost(this, owner, holding));
  }

  private passWithin(current: Frame, request: AcquireRequest, reentrant: boolean): Promise<Place> {
    const { owner } = request.keys;
    const outer = current.find(this, owner);
    if (outer !== undefined && !reentrant) {
      const { name, label } = request;
      throw new LockBusyError(NESTED_REFUSED(name, label, outer.label), name, outer.holding.remaining);
    }
    if (request.wait === Infinity && current.holdsOther(this, owner)) return this.passBounded(request, reentrant);
    if (outer !== undefined) return this.nest(outer, request);
    return this.acquire(request);
  }

  /**
   * For a lock that is asked for inside another one. The order of such locks is the application's, and two callers with
   * different orders would wait for each other; so no such wait is without end.
   */
  private async passBounded(request: AcquireRequest, reentrant: boolean): Promise<Place> {
    const usual = this.defaults.wait === Infinity ? 0 : this.defaults.wait;
    const wait = Math.max(usual, DEFAULT_SETTINGS.wait);
    try {
      return await this.pass({ ...request, wait }, reentrant);
    } catch (error) {
      if (!isBusy(error)) throw error;
      throw new LockBusyError(WAIT_BOUNDED(error.message, wait), request.name, error.retryAfter * 1000);
    }
  }

  private async nest(outer: Place, request: AcquireRequest): Promise<Place> {
    const { name, label, wait, signal } = request;
    const since = turnClock.now();
    if (!(await outer.turn.take(wait, signal))) {
      throw new LockBusyError(SIBLING_BUSY(name, label, outer.label, wait), name, outer.holding.remaining);
    }
    if (outer.held) return outer.nest(label);
    const { active } = outer;
    outer.turn.pass();
    if (active)
      throw new LockLostError(LOST_BEFORE_NESTED(name, label, outer.label), name, { cause: outer.holding.lost });
    // The call it stood in line within has ended meanwhile, so this one looks for its own way in.
    return this.pass({ ...request, wait: Math.max(0, wait - (turnClock.now() - since)) }, true);
  }

  private async decline(places: readonly Place[]): Promise<void> {
    await Promise.all(
      places.map((place) =>
        place.decline().catch((error: unknown) => {
          this.logger.warn(RELEASE_FAILED(place.holding.name, place.label, error));
        }),
      ),
    );
  }
}

/** Not a `LockLostError`, which says that the work has run. */
function lostBeforeEntry({ label }: EntryRequest, lost: LockLostError): LockUnavailableError {
  return new LockUnavailableError(LOST_BEFORE_ENTRY(label, lost), lost.key, { cause: lost });
}

function lossOf(places: readonly Place[]): LockLostError | undefined {
  for (const { holding } of places) if (holding.lost !== undefined) return holding.lost;
  return undefined;
}

function withWait(request: AcquireRequest, wait: number): AcquireRequest {
  return request.wait === wait ? request : { ...request, wait };
}

function bothSignals(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return AbortSignal.any([a, b]);
}
