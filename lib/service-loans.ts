import type { LockService } from './lock.service.js';

/*
 * An object that was made outside of Nest can be a provider of several applications of one process, at once or one after the
 * other as in a test suite. It has one place for a service: the first application fills it, and when that one has ended, the
 * next that lives.
 */
const ended = new WeakSet<object>();
const heirs = new WeakMap<object, (() => void)[]>();

/** Gives `service` to an object, now or as soon as the application that serves it has ended. */
export function lendService(instance: object, property: symbol, service: LockService): void {
  const place = instance as Record<symbol, object | undefined>;
  const present = place[property];
  if (present === service || ended.has(service)) return;
  if (present === undefined || ended.has(present)) place[property] = service;
  else heirs.set(present, [...(heirs.get(present) ?? []), () => lendService(instance, property, service)]);
}

/** Its objects go to those who want them. */
export function serviceEnded(service: LockService): void {
  ended.add(service);
  for (const lend of heirs.get(service) ?? []) lend();
  heirs.delete(service);
}
