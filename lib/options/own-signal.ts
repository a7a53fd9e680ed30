const known = new WeakMap<AbortSignal, AbortSignal>();

/**
 * A signal of this realm that aborts with the given one, which may come from a polyfill or another realm: Node joins only its
 * own signals, and others need not have all methods.
 */
export function ownSignal(signal: AbortSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  return known.get(signal) ?? follow(signal);
}

/** One for each, however often it is given. */
function follow(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  known.set(signal, controller.signal);
  return controller.signal;
}
