import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '../../redis/find-server.mjs';
import { runCommand } from '../../run-command.mjs';

const SOURCE = join(import.meta.dirname, 'clock-shim.c');

/** The C compiler that makes the clock of a server settable. */
export const findCompiler = () => findOnPath('cc') ?? findOnPath('gcc');

/** @param {string} dir of the lab */
const offsetFile = (dir) => join(dir, 'clock-offset');

/**
 * Sets the clocks of the servers that run with the shim.
 *
 * @param {string} dir of the lab
 * @param {number} offset ms ahead of the true time
 */
export function setClocks(dir, offset) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(offset) * 1_000_000n);
  writeFileSync(offsetFile(dir), bytes, { flag: 'r+' });
}

/**
 * @param {string} dir of the lab
 * @returns {Promise<{ env: NodeJS.ProcessEnv }>}
 */
export async function clockShim(dir) {
  const library = join(dir, 'clock-shim.so');
  const built = await runCommand(findCompiler() ?? 'cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE]);
  if (!built.ok) throw new Error(`The clock shim does not compile: ${built.output}`);
  writeFileSync(offsetFile(dir), Buffer.alloc(8));
  return { env: { LD_PRELOAD: library, CLOCK_OFFSET_FILE: offsetFile(dir) } };
}
