export interface AbortListener {
  aborted(): void;
}

/** One listener per signal serves all who wait on it: a signal warns of a leak when it has more than ten. */
const waiting = new WeakMap<AbortSignal, Set<AbortListener>>();

export function listenToAbort(signal: AbortSignal, listener: AbortListener): void {
  const listeners = waiting.get(signal);
  if (listeners) return void listeners.add(listener);
  waiting.set(signal, new Set([listener]));
  signal.addEventListener('abort', tell);
}

/** The last one to leave takes the listener off the signal. */
export function unlistenToAbort(signal: AbortSignal, listener: AbortListener): void {
  const listeners = waiting.get(signal);
  if (!listeners?.delete(listener) || listeners.size > 0) return;
  waiting.delete(signal);
  signal.removeEventListener('abort', tell);
}

function tell({ target }: Event): void {
  for (const listener of [...(waiting.get(target as AbortSignal) ?? [])]) listener.aborted();
}
