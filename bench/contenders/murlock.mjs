import { loadPeer } from './load.mjs';

const TTL = 10_000;

/**
 * The service behind `@MurLock`.
 *
 * @param {string} url
 * @param {{ options: object }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { options }) {
  loadPeer('reflect-metadata');
  const { NestFactory } = loadPeer('@nestjs/core');
  const { MurLockModule, MurLockService } = loadPeer('murlock');
  const app = await NestFactory.createApplicationContext(
    MurLockModule.forRoot({ redisOptions: { url }, logLevel: 'none', ...options }),
    { logger: false },
  );
  const locks = app.get(MurLockService);
  return {
    withLock: (key, task) => locks.runWithLock(key, TTL, async () => task()),
    close: () => app.close(),
  };
}
