import type { LoggerService } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Alarm } from '../alarm.js';
import { boundHandshake } from './bound-handshake.js';
import type { CommandConnection, ConnectionContext } from './command-connection.js';
import { ConnectionLog } from './connection-log.js';
import { withoutArguments } from './failures.js';
import { onReady } from './on-ready.js';
import { paceReconnects } from './pace-reconnects.js';
import { resetConnection } from './reset-connection.js';

const HELLO = 'hello';
const HEARTBEAT = 5_000;
/** A server that still does not see the subscription after so many new ones will never push. */
const MOST_REOPENINGS = 3;

/**
 * The channel on which one process is told of its grants. It is opened when the first waiter is about to queue, and confirmed
 * before. Messages are news only, they may get lost: ownership lives in the key, and waiters poll as well.
 */
export class WakeChannel {
  /** The server will reach us through the channel. */
  listening = false;
  /** The user has no right to subscribe or to publish: waiters poll instead. */
  refused = false;
  onMessage: (message: string) => void = () => undefined;
  onListening: () => void = () => undefined;
  /** Asked at every heartbeat; an idle process sends none. */
  needed: () => boolean = () => false;
  private opening: Promise<void> | undefined;
  private opened: () => void = () => undefined;
  /** It took too long; waiters do without until it comes. */
  private late = false;
  private readonly log: ConnectionLog;
  private readonly logger: LoggerService;
  private readonly patience: Alarm;
  private readonly heartbeat: Alarm;
  /** Something was asked whose answer shows that the connection is alive. */
  private awaitsAnswer = false;
  private reopenings = 0;
  private readonly usable: () => void;
  private lastError: Error | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly channel: string,
    private readonly commands: CommandConnection,
    private readonly context: ConnectionContext,
  ) {
    const { runtime, clock, logger } = context;
    this.logger = logger;
    this.log = new ConnectionLog(logger, 'wake channel');
    this.patience = new Alarm(runtime, clock, () => {
      this.late = true;
      this.settle();
    });
    this.heartbeat = new Alarm(runtime, clock, () => this.beat());
    boundHandshake(redis, context);
    this.usable = paceReconnects(redis, clock);
    onReady(redis, () => void this.subscribe());
    redis.on('error', (error: Error) => {
      this.lastError = withoutArguments(error);
      // While no Sentinel answers there is no connection whose end could be told.
      if (!this.listening) this.lost();
    });
    redis.on('close', () => this.lost());
    redis.on('message', (_channel: string, message: string) => {
      if (message !== HELLO) this.reopenings = 0;
      this.onMessage(message);
    });
  }

  /** A waiter that queues now can be pushed. */
  get pushable(): boolean {
    return this.listening && !this.refused;
  }

  /** True when `ready()` would not wait. */
  get settled(): boolean {
    return this.listening || this.refused || this.late;
  }

  /** Resolves when the channel is confirmed or refused, and after `commandTimeout` at the latest; waiters then poll. */
  ready(): Promise<void> {
    if (this.settled) return Promise.resolve();
    if (!this.opening) {
      this.opening = new Promise((resolve) => (this.opened = resolve));
      this.patience.set(this.context.clock.now() + this.context.commandTimeout);
      if (this.redis.status === 'wait') this.redis.connect().catch(() => undefined);
    }
    return this.opening;
  }

  /** The server does not see us, or a message did not come: makes sure that the connection is alive. */
  verify(): void {
    if (this.listening && !this.awaitsAnswer) this.beat();
  }

  /** The server does not know our subscription any more. */
  reopen(): void {
    if (!this.listening) return;
    if (++this.reopenings > MOST_REOPENINGS) return this.refuse('the server does not see the subscription');
    this.listening = false;
    resetConnection(this.redis);
  }

  refuse(reason: string): void {
    if (this.refused) return;
    this.refused = true;
    this.settle();
    this.logger.warn(
      `Redis cannot push to the channel ${this.channel} (${reason}). Waiters poll, which is slower; ` +
        `a user needs the rights to SUBSCRIBE and PUBLISH on lock:wake:*.`,
    );
  }

  close(): void {
    this.listening = false;
    this.heartbeat.clear();
    this.settle();
    this.redis.disconnect();
  }

  private async subscribe(): Promise<void> {
    this.awaitsAnswer = true;
    this.heartbeat.set(this.context.clock.now() + this.context.commandTimeout);
    try {
      await this.redis.subscribe(this.channel);
      // Publishing happens in the scripts of others, where a refusal would show only as slowness.
      if (this.commands.ready) await this.commands.publish(this.channel, HELLO);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('NOPERM')) {
        this.heartbeat.clear();
        return this.refuse(error.message);
      }
      if (this.redis.status === 'ready') resetConnection(this.redis);
      return;
    }
    if (this.redis.status !== 'ready') return;
    this.usable();
    this.refused = false;
    this.late = false;
    this.listening = true;
    this.awaitsAnswer = false;
    this.log.back();
    this.heartbeat.set(this.context.clock.now() + HEARTBEAT);
    this.settle();
    this.onListening();
  }

  private lost(): void {
    this.listening = false;
    this.awaitsAnswer = false;
    this.heartbeat.clear();
    if (this.redis.status !== 'end') this.log.lost(this.lastError);
  }

  private settle(): void {
    this.patience.clear();
    this.opening = undefined;
    this.opened();
  }

  /** A half-open connection looks healthy and delivers nothing. */
  private beat(): void {
    const { clock, commandTimeout } = this.context;
    if (this.awaitsAnswer) return resetConnection(this.redis);
    if (!this.needed()) return this.heartbeat.set(clock.now() + HEARTBEAT);
    this.awaitsAnswer = true;
    this.heartbeat.set(clock.now() + commandTimeout);
    this.redis.ping().then(
      () => {
        this.awaitsAnswer = false;
        if (this.listening) this.heartbeat.set(clock.now() + HEARTBEAT);
      },
      // The close event says the same.
      () => undefined,
    );
  }
}
