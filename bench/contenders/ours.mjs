import { loadAsOurs, loadOurs } from './load.mjs';

/**
 * @param {string} url
 * @param {{ options?: object, module?: object }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { options = {}, module = {} }) {
  await loadAsOurs('reflect-metadata');
  const { NestFactory } = /** @type {typeof import('@nestjs/core')} */ (await loadAsOurs('@nestjs/core'));
  const { LockService, RedisLockModule } = await loadOurs();
  const app = await NestFactory.createApplicationContext(
    RedisLockModule.forRoot({ connection: url, logger: false, shutdownTimeout: 0, ...module }),
    { logger: false },
  );
  const locks = app.get(LockService);
  const own = { wait: '60s', ...options };
  return {
    withLock: (key, task, signal) => locks.withLock(key, signal ? { ...own, signal } : own, task),
    withPermit: (key, limit, task) => locks.withSemaphore(key, limit, own, task),
    close: () => app.close(),
  };
}
