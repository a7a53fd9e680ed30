import type { AcquireRequest } from '../engine/acquire-request.interface.js';
import type { LockEngine } from '../engine/lock-engine.interface.js';
import type { LockKind } from '../interfaces/lock-kind.type.js';
import type { Settings } from '../options/settings.interface.js';

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

/**
 * What the engine is asked for: one request for each lock, however often it is named.
 *
 * @param inside the call is made inside a lock of this engine
 * @param signal ends the waiting, as the one of the settings does
 * @throws LockKeyError for an impossible name
 */
export function requestsOf(
  entry: EntryRequest,
  engine: LockEngine,
  inside: boolean,
  signal: AbortSignal | undefined,
): AcquireRequest[] {
  const either = bothSignals(entry.settings.signal, signal);
  const all = entry.names.map((name) => requestOf(entry, name, engine, inside, either));
  if (all.length === 1) return all;
  const byOwner = new Map<string, AcquireRequest>();
  for (const request of all) if (!byOwner.has(request.keys.owner)) byOwner.set(request.keys.owner, request);
  return [...byOwner.values()];
}

function requestOf(
  { kind, label, limit, settings }: EntryRequest,
  name: string,
  engine: LockEngine,
  inside: boolean,
  signal: AbortSignal | undefined,
): AcquireRequest {
  const { ttl, renew, fair, wait, maxHold, minHold, headStart, replicas } = settings;
  return {
    kind,
    name,
    keys: engine.names(kind, name),
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

function bothSignals(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return AbortSignal.any([a, b]);
}
