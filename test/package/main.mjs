// Packs the package and proves that the tarball works where people use it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '../../tools/redis/index.mjs';
import { checkConsumer, consumers } from './consumers.mjs';
import { Report } from './report.mjs';
import { checkTarball, pack } from './tarball.mjs';

const folder = mkdtempSync(join(tmpdir(), 'package-test-'));
const report = new Report();
const redis = await startRedis();
try {
  const tarball = await pack(folder);
  checkTarball(tarball, report);
  const surroundings = {
    folder,
    tarball: tarball.path,
    redisUrl: redis.url,
    report,
  };
  // At once: most of the time goes into their npm install.
  await Promise.all(consumers.map((one) => checkConsumer(one, surroundings)));
} finally {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}
report.close();
