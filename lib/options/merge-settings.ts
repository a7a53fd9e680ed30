import { checkHold } from './check-options.js';
import type { OwnSettings, Settings } from './settings.interface.js';

/**
 * Settings of one call.
 *
 * @param base defaults of the module
 * @param own what the call or its decorator sets
 * @param where the call or the decorated method, for the message
 * @throws LockOptionsError when the two contradict each other
 */
export function mergeSettings(base: Settings, own: OwnSettings, where: string): Settings {
  const onBusy = own.onBusy ?? base.onBusy;
  const minHold = own.minHold ?? base.minHold;
  const maxHold = own.maxHold ?? base.maxHold;
  checkHold(minHold, maxHold, where);
  return {
    ttl: own.ttl ?? base.ttl,
    renew: own.renew ?? base.renew,
    fair: own.fair ?? base.fair,
    wait: own.wait ?? (onBusy === 'skip' ? waitOfSkip(base, own) : base.wait),
    signal: own.signal,
    maxHold,
    minHold,
    reentrant: own.reentrant ?? base.reentrant,
    headStart: own.headStart ?? base.headStart,
    replicas: own.replicas ?? base.replicas,
    onBusy,
    onLost: own.onLost ?? base.onLost,
    releaseMode: own.releaseMode ?? base.releaseMode,
  };
}

/** A wait counts only where `'skip'` was chosen too: a replica that waits would do the job a second time. */
function waitOfSkip(base: Settings, own: OwnSettings): number {
  return own.onBusy === undefined && base.waitChosen ? base.wait : 0;
}
