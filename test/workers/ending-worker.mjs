// A process of an application that ends in some way, and that nothing but the application keeps up.
// Arguments: URL of the server, and how it ends.
import 'reflect-metadata';
import { once } from 'node:events';
import { NestFactory } from '@nestjs/core';
import { LockService, RedisLockModule } from 'nestjs-redis-lock';

const [url = '', ending = ''] = process.argv.slice(2);
const QUIET = /** @type {const} */ ({ logger: false, abortOnError: false });

class Root {}

/** @param {import('@nestjs/common').Provider[]} providers */
const root = (...providers) => ({
  module: Root,
  imports: [RedisLockModule.forRoot({ connection: url, logger: false })],
  providers,
});

const fail = () => {
  throw new Error('does not start');
};

/** Providers that keep an application from starting. */
const failures = {
  constructor: class FailsInConstructor {
    constructor() {
      fail();
    }
  },
  onModuleInit: class FailsInOnModuleInit {
    onModuleInit() {
      fail();
    }
  },
  'async factory': { provide: 'late', useFactory: () => Promise.resolve().then(fail) },
};

/** A lock, a wait for it, and a permit: all that opens connections. */
async function useLocks(/** @type {LockService} */ locks) {
  const lease = await locks.acquire('k', { fair: true });
  const next = locks.acquire('k', { wait: '1m', fair: true });
  while ((await locks.inspect('k')).waiters.length === 0);
  await lease.release();
  await (await next).release();
  await locks.withSemaphore('s', 2, () => undefined);
}

/** A request that holds a lock for three times its lease, and until it is told to end. */
async function serve() {
  const app = await NestFactory.create(root(), QUIET);
  const locks = app.get(LockService);
  app.enableShutdownHooks();
  app.use((/** @type {unknown} */ _request, /** @type {import('node:http').ServerResponse} */ response) => {
    void locks.withLock('k', { ttl: '1s' }, async () => {
      console.log('at work');
      await once(process, 'SIGUSR2');
      response.end('answered');
    });
  });
  await app.listen(0, '127.0.0.1');
  console.log(`listening at ${await app.getUrl()}`);
}

async function run() {
  if (ending === 'SIGTERM') return serve();
  if (ending in failures) {
    const provider = failures[/** @type {keyof typeof failures} */ (ending)];
    await NestFactory.createApplicationContext(root(provider), QUIET).then(
      () => console.log('started'),
      (/** @type {Error} */ error) => console.log(error.message),
    );
    return;
  }
  const app = await NestFactory.createApplicationContext(root(), QUIET);
  await useLocks(app.get(LockService));
  if (ending === 'close') await app.close();
  console.log('used');
}

await run();
