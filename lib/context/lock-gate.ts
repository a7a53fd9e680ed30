import type { LoggerService } from '@nestjs/common';
import type { AcquireRequest } from '../engine/acquire-request.interface.js';
import type { Holding } from '../engine/holding.interface.js';
import type { LockEngine } from '../engine/lock-engine.interface.js';
import { LockBusyError, LockLostError, LockUnavailableError } from '../errors/index.js';
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
import { requestsOf, type EntryRequest } from './entry-request.js';
import { inLockOrder } from './lock-order.js';
import { Place } from './place.js';
import { waitClock } from './turn.js';

/** More would not help a process that is too slow for its leases. */
const MOST_TRIES = 3;

/** Who wants in. */
export interface Entrant {
  /** Called later, in the asynchronous context of the call. */
  entered(frame: Frame): void;
  refused(error: unknown): void;
}

/** One call on its way in. */
interface Entrance {
  readonly entry: EntryRequest;
  readonly requests: readonly AcquireRequest[];
  readonly enclosing: Frame | undefined;
  /** When its wait began, in whole ms. */
  readonly since: number;
  readonly tries: number;
  readonly entrant: Entrant;
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
    return new Promise((entered, refused) => this.admit(entry, { entered, refused }, signal));
  }

  /** As `enter`, with fewer promises: a waiter keeps all of those on its way in memory. */
  admit(entry: EntryRequest, entrant: Entrant, signal?: AbortSignal): void {
    try {
      const enclosing = currentFrame();
      const requests = requestsOf(entry, this.engine, enclosing?.within(this) ?? false, signal);
      const { wait } = entry.settings;
      this.take({ entry, requests, enclosing, since: wholeMilliseconds(), tries: 1, entrant }, wait);
    } catch (error) {
      entrant.refused(error);
    }
  }

  private take(entrance: Entrance, wait: number): void {
    const { entry, requests, entrant } = entrance;
    const { reentrant } = entry.settings;
    const refused = (error: unknown): void => entrant.refused(error);
    const [first] = requests as [AcquireRequest];
    if (requests.length > 1) {
      this.takeAll(requests, wait, reentrant).then((places) => this.inside(entrance, places), refused);
    } else if (currentFrame() !== undefined) {
      this.pass(withWait(first, wait), reentrant).then((place) => this.inside(entrance, [place]), refused);
    } else {
      this.ask(withWait(first, wait)).then((got) => this.inside(entrance, [this.outermost(first, got)]), refused);
    }
  }

  private inside(entrance: Entrance, places: Place[]): void {
    const lost = lossOf(places);
    if (lost === undefined)
      return entrance.entrant.entered(new Frame(this, entrance.entry, places, entrance.enclosing));
    this.takeAgain(entrance, places, lost).catch((error: unknown) => entrance.entrant.refused(error));
  }

  /** A busy process got to it only after the lease had run out, or one lease did not last while it waited for the next lock. */
  private async takeAgain(entrance: Entrance, places: Place[], lost: LockLostError): Promise<void> {
    await this.decline(places);
    const { entry, since, tries } = entrance;
    const left = entry.settings.wait - (wholeMilliseconds() - since);
    if (tries === MOST_TRIES || left <= 0) throw lostBeforeEntry(entry, lost);
    this.take({ ...entrance, tries: tries + 1 }, left);
  }

  /**
   * @param wait for all of them, ms
   * @returns places in the order of the requests
   */
  private async takeAll(requests: readonly AcquireRequest[], wait: number, reentrant: boolean): Promise<Place[]> {
    const places = new Map<AcquireRequest, Place>();
    const end = waitClock.now() + wait;
    try {
      for (const request of inLockOrder(requests)) {
        const left = places.size === 0 ? wait : Math.max(0, end - waitClock.now());
        places.set(request, await this.pass(withWait(request, left), reentrant));
      }
    } catch (error) {
      await this.decline([...places.values()]);
      throw error;
    }
    return requests.map((request) => places.get(request) as Place);
  }

  /** Throws at once where the call cannot enter. */
  private pass(request: AcquireRequest, reentrant: boolean): Promise<Place> {
    const current = currentFrame();
    return current === undefined ? this.acquire(request) : this.passWithin(current, request, reentrant);
  }

  private acquire(request: AcquireRequest): Promise<Place> {
    return this.ask(request).then((holding) => this.outermost(request, holding));
  }

  private ask(request: AcquireRequest): Promise<Holding> {
    return outsideFrames(() => this.engine.acquire(request));
  }

  private outermost({ keys }: AcquireRequest, holding: Holding): Place {
    return new Place(this, keys.owner, holding.label, holding, undefined);
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
    const since = waitClock.now();
    if (!(await outer.turn.take(wait, signal))) {
      throw new LockBusyError(SIBLING_BUSY(name, label, outer.label, wait), name, outer.holding.remaining);
    }
    if (outer.held) return outer.nest(label);
    const { active } = outer;
    outer.turn.pass();
    if (active)
      throw new LockLostError(LOST_BEFORE_NESTED(name, label, outer.label), name, { cause: outer.holding.lost });
    // The call it stood in line within has ended meanwhile, so this one looks for its own way in.
    return this.pass({ ...request, wait: Math.max(0, wait - (waitClock.now() - since)) }, true);
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

/** Every waiter keeps the one of its begin, and V8 keeps a number with a fraction in an object of its own. */
function wholeMilliseconds(): number {
  return Math.floor(waitClock.now());
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
