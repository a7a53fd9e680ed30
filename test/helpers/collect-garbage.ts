import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects what nobody refers to, and lets finalizers run. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    gc();
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}
