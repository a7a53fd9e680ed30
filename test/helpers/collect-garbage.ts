import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what nobody refers to, and lets finalizers run.
 *
 * @param type a minor collection looks at what is new only
 */
export async function collectGarbage(type: 'major' | 'minor' = 'major'): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (how?: { type: string }) => void;
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (type === 'minor') gc({ type });
    else gc();
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}
