import { loadAsOurs, loadOurs, loadOurTesting } from '../contenders/load.mjs';
import { median } from '../measure/statistics.mjs';

/** Where a service keeps its way into the locks. */
const GATE = Symbol.for('nestjs-redis-lock:gate:1');

/** @typedef {{ name: string, label: string, ttl: number }} Request */

/** A lease that costs nothing, so that what is left is the decorator. */
class Stub {
  token = 'stub';
  fence = 1;
  held = true;
  lost = undefined;

  /** @param {Request} request */
  constructor({ name, label, ttl }) {
    this.name = name;
    this.label = label;
    this.remaining = ttl;
  }

  get signal() {
    return new AbortController().signal;
  }

  onLost() {
    return () => undefined;
  }

  async release() {
    this.held = false;
    return true;
  }

  decline() {
    return this.release();
  }

  abandon() {}
}

/**
 * What `@WithLock` itself costs: the same method with and without it, on a service that grants everything at once.
 *
 * @param {unknown} _place
 * @param {{ rounds: number, calls: number }} order
 * @returns {Promise<{ bare: number, decorated: number }>} us for each call
 */
export async function run(_place, { rounds, calls }) {
  await loadAsOurs('reflect-metadata');
  const { WithLock } = await loadOurs();
  const { bindLockService, passThroughLockService } = await loadOurTesting();
  const service = passThroughLockService();
  const gate = /** @type {{ engine: { acquire: (request: Request) => Promise<Stub> } }} */ (
    /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (service))[GATE]
  );
  gate.engine.acquire = async (request) => new Stub(request);
  const { Bare, Decorated } = classes(WithLock('order:<0>'));
  const bare = new Bare();
  const decorated = bindLockService(new Decorated(), service);
  /** @type {{ bare: number[], decorated: number[] }} */
  const took = { bare: [], decorated: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const times = { bare: await time(bare, calls), decorated: await time(decorated, calls) };
    // The first round is for the compilers.
    if (round === 0) continue;
    took.bare.push(times.bare);
    took.decorated.push(times.decorated);
  }
  return { bare: median(took.bare), decorated: median(took.decorated) };
}

/** @param {unknown} decorator */
function classes(decorator) {
  class Bare {
    paid = 0;

    async pay(/** @type {string} */ _id) {
      this.paid += 1;
    }
  }
  class Decorated {
    paid = 0;

    async pay(/** @type {string} */ _id) {
      this.paid += 1;
    }
  }
  // What the compiler of TypeScript makes of `@WithLock(...) async pay(id: string): Promise<void>`.
  const { prototype } = Decorated;
  Reflect.defineMetadata('design:paramtypes', [String], prototype, 'pay');
  Reflect.defineMetadata('design:returntype', Promise, prototype, 'pay');
  const descriptor = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, 'pay'));
  /** @type {MethodDecorator} */ (decorator)(prototype, 'pay', descriptor);
  Object.defineProperty(prototype, 'pay', descriptor);
  return { Bare, Decorated };
}

/**
 * Of the processor: it waits for nothing, and others on the machine should not count.
 *
 * @param {{ pay(id: string): Promise<void> }} service
 * @param {number} calls
 */
async function time(service, calls) {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i += 1) await service.pay('42');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
