import { setTimeout } from 'node:timers/promises';

/** Stands for work elsewhere that takes its time and can be called off. */
export async function pause(millis: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(millis, undefined, { signal });
  } catch {
    throw signal?.reason;
  }
}
