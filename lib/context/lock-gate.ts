import type { LoggerService } from '@nestjs/common';
import type { AcquireRequest } from '../engine/acquire-request.interface.js';
import type { Holding } from '../engine/holding.interface.js';
import type { LockEngine } from '../engine/lock-engine.interface.js';
import { LockBusyError, LockLostError } from '../errors/index.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import type { Settings } from '../options/settings.interface.js';
import { LOST_BEFORE_NESTED, NESTED_REFUSED, RELEASE_FAILED, SIBLING_BUSY } from '../redis-lock.messages.js';
import { currentFrame, outsideFrames } from './frame-storage.js';
import { Frame } from './frame.js';
import { turnClock } from './turn.js';

/** What one call asks for. */
export interface EntryRequest {
  readonly kind: LockKind;
  readonly name: string;
  readonly label: string;
  /** Permits there are; 1 for a lock. */
  readonly limit: number;
  readonly settings: Settings;
}

/** The way into the locks of one connection: at once for a call that is inside already, through the engine otherwise. */
export class LockGate {
  constructor(
    readonly engine: LockEngine,
    readonly defaults: Settings,
    readonly logger: LoggerService,
  ) {}

  /**
   * @param signal ends the waiting, as the one of the settings does
   * @throws LockKeyError for an impossible name
   */
  enter(entry: EntryRequest, signal?: AbortSignal): Promise<Frame> {
    return this.pass(this.request(entry, signal), entry.settings.reentrant);
  }

  private request(
    { kind, name, label, limit, settings }: EntryRequest,
    signal: AbortSignal | undefined,
  ): AcquireRequest {
    const { ttl, renew, wait, maxHold, minHold, headStart } = settings;
    return {
      kind,
      name,
      keys: this.engine.names(kind, name),
      label,
      ttl,
      renew,
      wait,
      signal: bothSignals(settings.signal, signal),
      maxHold,
      minHold,
      headStart,
      weight: 1,
      limit,
    };
  }

  private async pass(request: AcquireRequest, reentrant: boolean): Promise<Frame> {
    const current = currentFrame();
    const outer = current?.find(this, request.keys.owner);
    if (outer !== undefined) return this.nest(outer, request, reentrant);
    const holding = await outsideFrames(() => this.engine.acquire(request));
    // A busy process may get to it only after the lease has run out.
    const { lost } = holding;
    if (lost) {
      await this.decline(holding);
      throw lost;
    }
    return Frame.outermost(this, request.keys.owner, holding, current);
  }

  private async decline(holding: Holding): Promise<void> {
    try {
      await outsideFrames(() => holding.decline());
    } catch (error) {
      this.logger.warn(RELEASE_FAILED(holding.name, holding.label, error));
    }
  }

  private async nest(outer: Frame, request: AcquireRequest, reentrant: boolean): Promise<Frame> {
    const { name, label, wait, signal } = request;
    if (!reentrant) throw new LockBusyError(NESTED_REFUSED(name, label, outer.label), name, outer.holding.remaining);
    const since = turnClock.now();
    if (!(await outer.turn.take(wait, signal))) {
      throw new LockBusyError(SIBLING_BUSY(name, label, outer.label, wait), name, outer.holding.remaining);
    }
    if (outer.held) return outer.nest(label, currentFrame());
    const { active } = outer;
    outer.turn.pass();
    if (active) throw new LockLostError(LOST_BEFORE_NESTED(name, label, outer.label), name, { cause: outer.lost });
    // The call it stood in line within has ended meanwhile, so this one looks for its own way in.
    return this.pass({ ...request, wait: Math.max(0, wait - (turnClock.now() - since)) }, reentrant);
  }
}

function bothSignals(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return AbortSignal.any([a, b]);
}
