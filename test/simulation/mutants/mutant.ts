import { luaScripts } from '../../../lib/scripts/lua-scripts.generated.js';
import type { ScriptPatch } from '../server/sim-server.js';

/** The library with one fault built in. The checkers have to find it. */
export interface Mutant {
  readonly name: string;
  readonly what: string;
  /** What the server compiles in place of a script. */
  readonly patchScript?: ScriptPatch;
  /** Changes the engine; returns what undoes it. */
  readonly install?: () => () => void;
  /** Faults without which it cannot be told from the library; all safe ones by default. */
  readonly faults?: readonly string[];
}

/** Changes a piece of the Lua scripts, wherever it stands. */
export function inScripts(from: string, to: string): ScriptPatch {
  if (!Object.values(luaScripts).some(({ lua }) => lua.includes(from))) throw new Error(`No script has "${from}".`);
  return (text) => text.replaceAll(from, () => to);
}

/** Puts a method in the place of one of a class; `make` gets the old one. */
export function replaceMethod<T extends object, K extends keyof T>(
  prototype: T,
  name: K,
  make: (original: T[K]) => T[K],
): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
  Object.defineProperty(prototype, name, { ...descriptor, value: make(descriptor.value as T[K]) });
  return () => void Object.defineProperty(prototype, name, descriptor);
}
