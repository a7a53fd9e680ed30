import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Redis } from 'ioredis';
import { GenericContainer, getContainerRuntimeClient, Wait, type StartedNetwork } from 'testcontainers';
import type { Image } from '../../tools/containers/images.mjs';
import { freePort } from '../../tools/redis/server-process.mjs';
import { RedisUnderTest } from './use-redis.js';
import { waitUntil } from './wait-until.js';

const PORT = 6379;
const STARTED = /Ready to accept connections/;
/** For the hooks that start containers. */
export const TO_START = 120_000;

export interface ContainerOptions {
  args?: string[];
  network?: { network: StartedNetwork; alias: string };
}

/** One container of an image, whose port stays the same when it is started again. */
export class ContainerUnderTest extends RedisUnderTest {
  private address = '';
  private id = '';

  override get url(): string {
    return this.address;
  }

  async start({ product, name }: Image, { args = [], network }: ContainerOptions = {}): Promise<void> {
    const host = await freePort();
    const container = new GenericContainer(name)
      .withCommand([`${product}-server`, '--save', '', '--appendonly', 'no', ...args])
      .withExposedPorts({ container: PORT, host })
      .withWaitStrategy(Wait.forLogMessage(STARTED));
    if (network) container.withNetwork(network.network).withNetworkAliases(network.alias);
    const started = await container.start();
    this.id = started.getId();
    this.address = `redis://${started.getHost().replace('localhost', '127.0.0.1')}:${host}`;
    this.client = new Redis(this.address);
    // It is away while a test has it away.
    this.client.on('error', () => undefined);
    await this.answers();
  }

  async answers(): Promise<void> {
    await waitUntil(() => this.client.ping().then(Boolean, () => false), 'the container to answer');
  }

  pause = () => this.handle().then((container) => container.pause());
  unpause = () => this.handle().then((container) => container.unpause());
  /** As an orchestrator does. */
  restart = () => this.handle().then((container) => container.restart({ t: 1 }));
  halt = () => this.handle().then((container) => container.stop({ t: 1 }));
  startAgain = () => this.handle().then((container) => container.start());

  async remove(): Promise<void> {
    this.client.disconnect();
    await (await this.handle()).remove({ force: true, v: true });
  }

  private async handle() {
    const { container } = await getContainerRuntimeClient();
    return container.getById(this.id);
  }
}

/** One for all tests of a block, empty before each. */
export function useContainer(image: Image): ContainerUnderTest {
  const redis = new ContainerUnderTest();
  beforeAll(() => redis.start(image), TO_START);
  beforeEach(async () => {
    await redis.answers();
    await redis.client.flushall();
  });
  afterAll(() => redis.remove(), TO_START);
  return redis;
}
