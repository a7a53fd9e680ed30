import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideRedisBinary } from './provide-redis.mjs';
import { freePort, HOST, spawnServer, stopper } from './server-process.mjs';
import { waitForPing } from './wait-for-ping.mjs';

const START_TIMEOUT = 10_000;

/**
 * Starts a Sentinel that watches one master and decides alone.
 *
 * @param {{ name: string, masterPort: number }} watched
 * @returns {Promise<{ port: number, stop: () => Promise<void> }>}
 */
export async function startSentinel({ name, masterPort }) {
  const { binary } = await provideRedisBinary();
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'redis-lock-sentinel-'));
  const config = join(dir, 'sentinel.conf');
  const logFile = join(dir, 'sentinel.log');
  const lines = [
    `port ${port}`,
    `bind ${HOST}`,
    `dir ${dir}`,
    `sentinel monitor ${name} ${HOST} ${masterPort} 1`,
    `sentinel down-after-milliseconds ${name} 800`,
    `sentinel failover-timeout ${name} 4000`,
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const child = spawnServer(binary, logFile, [config, '--sentinel']);
  const stop = stopper(child, dir);
  const stillComing = () => child.exitCode === null && child.signalCode === null;
  if (await waitForPing({ host: HOST, port }, { timeout: START_TIMEOUT, stillComing })) return { port, stop };
  const log = readFileSync(logFile, 'utf8');
  await stop();
  throw new Error(`Sentinel did not start:\n${log}`);
}
