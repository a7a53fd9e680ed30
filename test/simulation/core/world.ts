import { SimClient } from '../client/sim-client.js';
import { emptyHistory, type History, type HistoryTimes } from '../history/history.js';
import { Network } from '../network/network.js';
import { KeyWatch } from '../server/key-watch.js';
import { SimServer, type ScriptPatch } from '../server/sim-server.js';
import { drawHabits, drawOrder, KEYS, type Habits } from '../workload/draw-order.js';
import { perform } from '../workload/perform.js';
import type { Attempt, Order } from '../history/attempt.js';
import type { Random } from './random.js';
import { Scheduler } from './scheduler.js';

const CALLERS = 4;

export interface WorldOptions {
  /** Some calls are cancelled while they wait. */
  readonly cancels: boolean;
  readonly patchScript: ScriptPatch | undefined;
  /** Commands are written down. */
  readonly records: boolean;
}

/** A server, a network and some processes that use the library, in simulated time. */
export class World {
  readonly network: Network;
  readonly history: History;
  readonly watches: readonly KeyWatch[];
  readonly habits: Habits;
  clients: SimClient[] = [];
  /** No new calls any more. */
  resting = false;
  private names = 0;
  private calls = 0;

  private constructor(
    readonly scheduler: Scheduler,
    readonly server: SimServer,
    readonly random: Random,
    times: HistoryTimes,
    { cancels, records }: WorldOptions,
  ) {
    this.history = emptyHistory(times);
    this.network = new Network(scheduler, random.fork('network'), server);
    this.watches = KEYS.map(({ kind, key }) => new KeyWatch(scheduler, server, this.history, kind, key));
    this.habits = drawHabits(random.fork('habits'), cancels);
    server.afterCommand = (words, reply) => {
      if (records) this.history.commands.push({ at: scheduler.now, line: `redis: ${shown(words)} -> ${shown(reply)}` });
      this.look(words);
    };
  }

  static async create(random: Random, options: WorldOptions): Promise<World> {
    const scheduler = new Scheduler();
    const server = await SimServer.start(scheduler, options.patchScript);
    const draw = random.fork('times');
    const handoffTtl = draw.pick([500, 1_000, 2_000]);
    const times = {
      commandTimeout: draw.pick([300, 600, 1_500]),
      handoffTtl,
      pollInterval: draw.pick([handoffTtl, 500, 1_500]),
      cohort: { passes: draw.pick([1, 4, 32]), time: draw.pick([50, 300, 2_000]) },
    };
    return new World(scheduler, server, random, times, options);
  }

  /** Starts a process with its callers. */
  addClient(): SimClient {
    const name = `c${++this.names}`;
    const client = new SimClient(name, this.random.fork(name), this);
    this.clients.push(client);
    this.within(client, () => client.service.onApplicationBootstrap());
    for (let i = 0; i < CALLERS; i++) {
      const random = client.random.fork(`caller ${i}`);
      this.within(client, () => void this.runCaller(client, random));
    }
    return client;
  }

  /** Has something done in a process, as one of its events. */
  within(client: SimClient, run: () => void): void {
    this.scheduler.plan(0, 'call', run, client.process);
  }

  /** Begins a call of the library. */
  call(client: SimClient, order: Order): { readonly attempt: Attempt; readonly end: Promise<void> } {
    const id = `${client.name}.${++this.calls}`;
    const attempt: Attempt = { ...order, id, client: client.name, askedAt: this.scheduler.now };
    this.history.attempts.push(attempt);
    return { attempt, end: perform(attempt, client, this.scheduler) };
  }

  /** The process is gone from one moment to the next. */
  kill(client: SimClient, silently: boolean): void {
    const { now } = this.scheduler;
    client.process.kill();
    for (const attempt of client.inside) attempt.believedUntil = Math.min(attempt.believedUntil ?? now, now);
    this.network.abandon(client.process, silently);
    this.history.ends.push({ client: client.name, at: now, how: 'killed' });
    this.clients = this.clients.filter((other) => other !== client);
  }

  /** Ends a process in order; looks some time later what it left behind. */
  shutDown(client: SimClient): void {
    const { scheduler, history } = this;
    this.clients = this.clients.filter((other) => other !== client);
    const end = async (): Promise<void> => {
      await client.shutDown();
      history.ends.push({ client: client.name, at: scheduler.now, how: 'closed' });
      scheduler.plan(5_000, 'world', () => this.inspectClosed(client), client.process);
    };
    this.within(client, () => void end());
  }

  /**
   * Writes down that a fault strikes.
   *
   * @param ms for how long it lasts
   * @param aftermath for how long after that things need not go their usual way, ms
   */
  disturb(fault: string, client: SimClient | undefined, ms: number, aftermath: number, note = ''): void {
    const from = this.scheduler.now;
    const until = from + ms;
    this.history.disturbances.push({ fault, client: client?.name, from, until, to: until + aftermath, note });
  }

  /** What the server knows may have changed. */
  look(words?: readonly string[]): void {
    for (const watch of this.watches) watch.look(words);
  }

  private async runCaller(client: SimClient, random: Random): Promise<void> {
    for (;;) {
      await this.scheduler.sleep(random.exponential(this.habits.pause));
      if (this.resting || !client.alive) return;
      await this.call(client, drawOrder(random, this.habits)).end;
    }
  }

  private inspectClosed(client: SimClient): void {
    const { scheduler, history, network } = this;
    const timers = scheduler.timersOf(client.process);
    if (timers > 0) history.leftovers.push({ at: scheduler.now, what: `${client.name} has ${timers} timers left` });
    const open = network.of(client.process).filter(({ near }) => !near.destroyed).length;
    if (open > 0) history.leftovers.push({ at: scheduler.now, what: `${client.name} has ${open} connections left` });
  }
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 400);
}
