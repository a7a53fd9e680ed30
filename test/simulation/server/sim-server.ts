import { ServerCore, type Execute } from '../../../lib/testing/embedded/server/server-core.js';
import { EPOCH } from '../core/globals.js';
import type { Scheduler } from '../core/scheduler.js';
import { SimProcess } from '../core/sim-process.js';
import type { Listener } from '../network/network.js';
import type { SimSocket } from '../network/sim-socket.js';

/** What is compiled in place of the text of a script. */
export type ScriptPatch = (text: string) => string;

/** The Redis of the simulation: it can be paused, restarted, and its clock can be set. */
export class SimServer implements Listener {
  readonly process = new SimProcess('redis');
  up = true;
  /** How far its clock is from simulated time, ms. */
  clockOffset = 0;
  /** Called after every command that it ran. */
  afterCommand: (words: readonly string[], reply: unknown) => void = () => undefined;
  private busyUntil = 0;
  private core: ServerCore;
  private readonly sockets = new Set<SimSocket>();

  private constructor(private readonly scheduler: Scheduler) {}

  static async start(scheduler: Scheduler, patchScript?: ScriptPatch): Promise<SimServer> {
    const server = new SimServer(scheduler);
    const wrap =
      (execute: Execute): Execute =>
      (call, words) => {
        const reply = execute(call, words);
        server.afterCommand(words, reply);
        server.work(words);
        return reply;
      };
    const now = (): number => server.clock();
    server.core = await ServerCore.create(patchScript ? { now, wrap, patchScript } : { now, wrap });
    return server;
  }

  /** ms since 1970, with fractions. */
  clock(): number {
    return Math.max(EPOCH + this.scheduler.now, this.busyUntil) + this.clockOffset;
  }

  /** A command takes its time, also on a clock that else stands still: longer than the fences that it gives, one a microsecond. */
  private work(words: readonly string[]): void {
    this.busyUntil = Math.max(EPOCH + this.scheduler.now, this.busyUntil) + 0.01 + 0.001 * words.length;
  }

  get data(): ReturnType<ServerCore['databases']['at']> {
    return this.core.databases.at(0);
  }

  listeners(channel: string): number {
    return this.core.pubSub.count(channel);
  }

  accept(socket: SimSocket): void {
    if (socket.destroyed) return;
    if (!this.up) return socket.fail('ECONNREFUSED');
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    this.core.handle(socket);
  }

  forgetScripts(): void {
    this.core.scripts.flush();
  }

  loseData(): void {
    this.core.databases.clear();
  }

  /** Its kernel closes all connections. */
  crash(): void {
    this.up = false;
    for (const socket of this.sockets) socket.resetAndDestroy();
    this.sockets.clear();
    this.core.disconnectAll();
    this.forgetScripts();
  }

  restart(): void {
    this.up = true;
  }

  stop(): void {
    this.core.close();
  }
}
