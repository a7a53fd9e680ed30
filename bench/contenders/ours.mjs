import { loadAsOurs, loadOurs } from './load.mjs';

/**
 * @param {string} url
 * @param {{ options?: object }} settings
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect(url, { options = {} }) {
  await loadAsOurs('reflect-metadata');
  const { NestFactory } = /** @type {typeof import('@nestjs/core')} */ (await loadAsOurs('@nestjs/core'));
  const { LockService, RedisLockModule } = await loadOurs();
  const app = await NestFactory.createApplicationContext(
    // Defaults of the module are read once, as those of a decorator are.
    RedisLockModule.forRoot({
      connection: url,
      logger: false,
      shutdownTimeout: 0,
      defaults: { wait: '60s', ...options },
    }),
    { logger: false },
  );
  const locks = app.get(LockService);
  return {
    withLock: (key, task, signal) => (signal ? locks.withLock(key, { signal }, task) : locks.withLock(key, task)),
    withPermit: (key, limit, task) => locks.withSemaphore(key, limit, task),
    close: () => app.close(),
  };
}
