import { existsSync, readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';

const BENCH = join(import.meta.dirname, '..');
const read = (/** @type {string} */ file) =>
  /** @type {{ version: string, dependencies?: Record<string, string> }} */ (JSON.parse(readFileSync(file, 'utf8')));

/**
 * Versions and machine, without which no figure means anything.
 *
 * @param {string} server version
 * @param {boolean} peers
 */
export function surroundings(server, peers) {
  const [cpu] = cpus();
  const names = Object.keys(read(join(BENCH, 'package.json')).dependencies ?? {});
  const installed = names.flatMap((name) => {
    const file = join(BENCH, 'node_modules', name, 'package.json');
    return existsSync(file) ? [`${name} ${read(file).version}`] : [];
  });
  return {
    versions: `nestjs-redis-lock ${read(join(BENCH, '../package.json')).version}, Redis ${server}, Node ${process.versions.node}`,
    peers: peers ? installed.join(', ') : 'left out',
    machine: `${cpu?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${release()} ${arch()}`,
    load: loadavg()
      .map((one) => one.toFixed(2))
      .join(' '),
  };
}

/** @typedef {ReturnType<typeof surroundings>} Surroundings */
