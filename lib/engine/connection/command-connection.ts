import type { Redis } from 'ioredis';
import { Alarm } from '../alarm.js';
import { Line, type InLine } from '../collections/line.js';
import { addressOf } from './address-of.js';
import { boundHandshake } from './bound-handshake.js';
import type { ConnectionContext } from './connection-context.interface.js';
import { ConnectionLog } from './connection-log.js';
import { isDemotion, isReply, reasonOf, UnansweredError, withoutArguments } from './failures.js';
import { greet } from './greet.js';
import { finish, keepConnecting } from './keep-connecting.js';
import { onReady } from './on-ready.js';
import { paceReconnects } from './pace-reconnects.js';
import { ReadyGate } from './ready-gate.js';
import { resetConnection } from './reset-connection.js';
import { plainScripts, type Done, type Failed, type ScriptCall } from './scripts.js';
import { ServerClock } from './server-clock.js';
import type { Link } from './servers.interface.js';

/** The answer to a script, and when and on which connection it was asked. */
export interface Answer {
  readonly reply: unknown;
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly epoch: number;
  readonly link: Link;
}

interface Pending extends InLine<Pending> {
  readonly dueAt: number;
  readonly failed: Failed;
  /** Nothing came in time, and what comes now is of no interest. */
  late: boolean;
}

/**
 * The connection that carries the commands of one engine. Answers come in the order of the commands; nothing is sent again by
 * itself. An answer that does not come within `commandTimeout` resets the connection, so that a command still sitting in a
 * dead link does not reach the server behind our back.
 */
export class CommandConnection implements Link {
  /** Counts connections: what was learnt on one says nothing about the next. */
  epoch = 0;
  ready = false;
  /** The last attempt to connect failed. */
  down = false;
  lastError: Error | undefined;
  readonly server: ServerClock;
  onReady: () => void = () => undefined;
  onLost: () => void = () => undefined;
  private readonly pending = new Line<Pending>();
  private readonly gate: ReadyGate;
  private readonly watchdog: Alarm;
  private readonly log: ConnectionLog;
  private readonly usable: () => void;
  /** It takes connections and refuses to write: the outage goes on, however often a new connection is made. */
  private demoted = false;
  private opened = false;
  private examined = false;

  constructor(
    private readonly redis: Redis,
    private readonly context: ConnectionContext,
  ) {
    const { runtime, clock, logger, name = 'commands' } = context;
    this.server = new ServerClock(clock);
    this.gate = new ReadyGate(runtime, this);
    this.watchdog = new Alarm(runtime, clock, () => this.checkAnswers());
    this.log = new ConnectionLog(logger, name);
    boundHandshake(redis, context);
    keepConnecting(redis, context);
    this.usable = paceReconnects(redis, context);
    onReady(redis, () => void this.handshake());
    redis.on('error', (error: Error) => {
      this.lastError = withoutArguments(error);
      // While no Sentinel answers there is no connection whose end could be told.
      if (!this.ready) this.lost();
    });
    redis.on('close', () => this.lost());
  }

  /** Begins to connect; later calls do nothing. */
  open(): void {
    if (this.opened) return;
    this.opened = true;
    // A failure arrives as events, too.
    this.redis.connect().catch(() => undefined);
  }

  whenReady(): Promise<void> {
    return this.gate.pass(this.context.commandTimeout);
  }

  call(script: ScriptCall): Promise<Answer> {
    return new Promise((resolve, reject) => this.dispatch(script, resolve, reject));
  }

  /** As `call`, without the cost of one more promise; neither is called before this returns. */
  dispatch(script: ScriptCall, done: Done<Answer>, failed: Failed): void {
    if (!this.ready) return queueMicrotask(() => failed(this.unanswered()));
    const { scripts = plainScripts } = this.context;
    this.track((got, lacking) => scripts.run(this.redis, script, got, lacking), done, failed);
  }

  /** Sends one plain command. */
  send(command: (redis: Redis) => Promise<unknown>): Promise<Answer> {
    if (!this.ready) return Promise.reject(this.unanswered());
    return this.ask(() => command(this.redis));
  }

  /** How many replicas have what this connection wrote last: `min` of them, or how many there are after `timeout` ms. */
  async waitForReplicas(min: number, timeout: number): Promise<number> {
    if (!this.ready) throw this.unanswered();
    const { reply } = await this.ask(() => this.redis.wait(min, timeout), timeout);
    return Number(reply);
  }

  get address(): string {
    return addressOf(this.redis);
  }

  /** The server took what only a master takes. */
  accepted(): void {
    if (!this.demoted) return;
    this.demoted = false;
    this.lastError = undefined;
    this.log.back();
  }

  close(): void {
    this.ready = false;
    this.watchdog.clear();
    finish(this.redis);
  }

  /** @param pause of the server before it answers, ms */
  private ask(send: () => Promise<unknown>, pause = 0): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.track((done, failed) => void send().then(done, failed), resolve, reject, pause);
    });
  }

  private track(
    send: (done: Done<unknown>, failed: Failed) => void,
    done: Done<Answer>,
    failed: Failed,
    pause = 0,
  ): void {
    const { clock, commandTimeout } = this.context;
    const sentAt = clock.now();
    const { epoch } = this;
    const entry: Pending = {
      dueAt: sentAt + pause + commandTimeout,
      failed,
      late: false,
      before: undefined,
      after: undefined,
    };
    this.pending.push(entry);
    this.watchdog.bringForward(entry.dueAt);
    send(
      (reply) => {
        if (entry.late) return;
        this.pending.remove(entry);
        done({ reply, sentAt, receivedAt: clock.now(), epoch, link: this });
      },
      (error) => {
        const failure = this.failure(withoutArguments(error));
        if (entry.late) return;
        this.pending.remove(entry);
        failed(failure);
      },
    );
  }

  /** @param error that came in the place of an answer, or of a part of it */
  failure(error: Error): Error {
    if (!isReply(error)) return this.unanswered(error);
    if (isDemotion(error)) {
      this.demoted = true;
      this.lastError = error;
    }
    return error;
  }

  private checkAnswers(): void {
    const { clock, commandTimeout } = this.context;
    const oldest = this.pending.first;
    if (!oldest) return;
    if (clock.now() < oldest.dueAt) return this.watchdog.set(oldest.dueAt);
    this.lastError = new Error(`Redis did not answer within ${commandTimeout} ms`);
    for (const entry of this.pending) {
      if (entry.dueAt > clock.now()) continue;
      entry.late = true;
      this.pending.remove(entry);
      entry.failed(this.unanswered());
    }
    resetConnection(this.redis);
  }

  private async handshake(): Promise<void> {
    this.epoch++;
    const { epoch } = this;
    try {
      const { reply } = await this.ask(() => greet(this.redis));
      const [seconds, micros] = reply as [string | number, string | number];
      if (epoch !== this.epoch || this.redis.status !== 'ready') return;
      this.server.reset(Number(seconds) * 1000 + Math.floor(Number(micros) / 1000));
    } catch (error) {
      this.lastError = reasonOf(error) as Error;
      this.down = true;
      this.log.lost(this.lastError);
      if (isReply(error)) this.redis.disconnect(true);
      return;
    }
    this.usable();
    this.ready = true;
    this.down = false;
    if (!this.demoted) {
      this.lastError = undefined;
      this.log.back();
    }
    this.gate.open();
    this.onReady();
    if (!this.examined) {
      this.examined = true;
      await this.context.check?.examine(this.redis);
    }
  }

  private lost(): void {
    this.ready = false;
    this.down = true;
    this.server.forget();
    if (this.redis.status !== 'end') this.log.lost(this.lastError);
    this.gate.open();
    this.onLost();
  }

  /** Why nothing came back. */
  unanswered(error?: Error): UnansweredError {
    return new UnansweredError('no answer from Redis', {
      cause: this.lastError ?? error ?? new Error(this.ready ? 'no answer in time' : 'not connected'),
    });
  }
}
