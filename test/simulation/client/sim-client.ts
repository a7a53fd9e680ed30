import type { RedisOptions } from 'ioredis';
import { createLockEngine } from '../../../lib/engine/create-lock-engine.js';
import { LockService } from '../../../lib/lock.service.js';
import { checkModuleOptions } from '../../../lib/options/check-module-options.js';
import type { Random } from '../core/random.js';
import type { Scheduler } from '../core/scheduler.js';
import { SimProcess } from '../core/sim-process.js';
import type { Attempt } from '../history/attempt.js';
import type { History } from '../history/history.js';
import type { Network } from '../network/network.js';
import { RecordingEngine } from './recording-engine.js';
import { simLogger } from './sim-logger.js';
import { SimRuntime } from './sim-runtime.js';

/** Where a process lives. */
export interface ClientSurroundings {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly history: History;
}

/** One process of the application, with the real library in it. */
export class SimClient {
  readonly process: SimProcess;
  readonly runtime: SimRuntime;
  readonly engine: RecordingEngine;
  readonly service: LockService;
  /** Attempts that are inside, whose beliefs are followed. */
  readonly inside = new Set<Attempt>();
  /** It takes no more calls. */
  ending = false;
  /** Handles that the program has dropped stay here: what the collector of garbage does is no matter of the seed. */
  readonly dropped: unknown[] = [];

  constructor(
    readonly name: string,
    readonly random: Random,
    private readonly surroundings: ClientSurroundings,
  ) {
    const { scheduler, network, history } = surroundings;
    this.process = new SimProcess(name);
    this.process.afterStep = () => this.followBeliefs();
    const clocks = { skew: random.between(-30_000, 30_000), drift: random.between(-1e-4, 1e-4) };
    this.runtime = new SimRuntime(scheduler, random.fork('runtime'), this.process, clocks);
    const logger = simLogger(name, () => scheduler.now, history.log);
    const connection = { Connector: network.connector(this.process) } as RedisOptions;
    const settings = checkModuleOptions({ connection, ...history.times, shutdownTimeout: 1_000 });
    this.engine = new RecordingEngine(createLockEngine(settings, logger, this.runtime));
    this.service = new LockService(this.engine, settings.defaults, logger);
  }

  get alive(): boolean {
    return this.process.state !== 'dead' && !this.ending;
  }

  /** As an application ends. */
  async shutDown(): Promise<void> {
    this.ending = true;
    this.service.beforeApplicationShutdown();
    await this.surroundings.scheduler.sleep(20);
    await this.service.onApplicationShutdown();
  }

  private followBeliefs(): void {
    const { now } = this.surroundings.scheduler;
    for (const attempt of this.inside) {
      const { lostAt } = attempt;
      // A renewal may be answered between the deadline and its timer, when nobody has looked: it goes on then.
      if (lostAt === undefined) attempt.believedUntil = now + this.engine.leftOf(attempt);
    }
  }
}
