import type { Redis } from 'ioredis';
import { Alarm } from '../alarm.js';
import { addressOf } from './address-of.js';
import { boundHandshake } from './bound-handshake.js';
import type { ConnectionContext } from './connection-context.interface.js';
import { ConnectionLog } from './connection-log.js';
import { withoutArguments } from './failures.js';
import { finish, keepConnecting } from './keep-connecting.js';
import { onReady } from './on-ready.js';
import { paceReconnects } from './pace-reconnects.js';
import { resetConnection } from './reset-connection.js';
import type { WakeHost } from './wake.interface.js';

/** Without a message, before the connection is asked whether it is alive, ms. */
const HEARTBEAT = 5_000;
/** Without a message, before whoever queues or polls has the server send one, which then is the sign of life, ms. */
const QUIET = HEARTBEAT / 2;
/** What ioredis 5 says of a subscription that the server ended, where later versions have the event `moved`. */
const STRAY_REPLY = 'Command queue state error';

/** Who has channels on a connection. */
export interface SubscriberOwner {
  /** Channels are to be subscribed, for the first time or anew. */
  connected(): void;
  /** No channel can be relied on. */
  lost(): void;
  /** Some channels ended because the server gave their slot away. */
  moved(): void;
  message(channel: string, message: string): void;
}

/** The connection on which one server pushes to us. A half-open one looks healthy and delivers nothing, hence its heartbeat. */
export class Subscriber {
  private opened = false;
  /** Something was asked whose answer shows that the connection is alive. */
  private awaitsAnswer = false;
  private usable = false;
  private heardAt = -Infinity;
  private greetingAskedAt = -Infinity;
  private readonly heartbeat: Alarm;
  private readonly log: ConnectionLog;
  private readonly confirm: () => void;
  private lastError: Error | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly context: ConnectionContext,
    private readonly host: Pick<WakeHost, 'waiting'>,
    private readonly owner: SubscriberOwner,
  ) {
    const { runtime, clock, logger, name = 'wake channel' } = context;
    this.log = new ConnectionLog(logger, name);
    this.heartbeat = new Alarm(runtime, clock, () => this.beat());
    boundHandshake(redis, context);
    keepConnecting(redis, context);
    this.confirm = paceReconnects(redis, context);
    onReady(redis, () => owner.connected());
    redis.on('error', (error: Error) => {
      if (error.message.startsWith(STRAY_REPLY)) return owner.moved();
      this.lastError = withoutArguments(error);
      // While no Sentinel answers there is no connection whose end could be told.
      if (!this.usable) this.lost();
    });
    redis.on('close', () => this.lost());
    redis.on('moved', () => owner.moved());
    for (const event of ['message', 'smessage']) {
      redis.on(event, (channel: string, message: string) => {
        this.heardAt = context.clock.now();
        owner.message(channel, message);
      });
    }
  }

  get address(): string {
    return addressOf(this.redis);
  }

  /** The connection stands, as far as is known. */
  get connected(): boolean {
    return this.redis.status === 'ready';
  }

  open(): void {
    if (this.opened) return;
    this.opened = true;
    if (this.redis.status === 'wait') this.redis.connect().catch(() => undefined);
  }

  /** Asks something that must be answered within `commandTimeout`, else the connection is given up. */
  async ask<T>(send: (redis: Redis) => Promise<T>): Promise<T> {
    this.awaitsAnswer = true;
    this.heartbeat.set(this.context.clock.now() + this.context.commandTimeout);
    try {
      return await send(this.redis);
    } finally {
      this.awaitsAnswer = false;
      if (this.connected) this.heartbeat.set(this.context.clock.now() + HEARTBEAT);
    }
  }

  /** A channel works: the connection is of use. */
  works(): void {
    this.usable = true;
    this.confirm();
    this.log.back();
  }

  /** See `Wake.wantsGreeting`. */
  wantsGreeting(): boolean {
    const now = this.context.clock.now();
    if (now - Math.max(this.heardAt, this.greetingAskedAt) < QUIET) return false;
    this.greetingAskedAt = now;
    return true;
  }

  /** Makes sure that the connection is alive. */
  verify(): void {
    if (this.usable && !this.awaitsAnswer) this.ping();
  }

  /** Nothing more is asked here: the channel is refused. */
  rest(): void {
    this.awaitsAnswer = false;
    this.heartbeat.clear();
  }

  reset(): void {
    if (this.connected) resetConnection(this.redis);
  }

  close(): void {
    this.rest();
    finish(this.redis);
  }

  private lost(): void {
    this.usable = false;
    this.rest();
    this.owner.lost();
    if (this.redis.status !== 'end') this.log.lost(this.lastError);
  }

  private beat(): void {
    if (this.awaitsAnswer) return resetConnection(this.redis);
    const now = this.context.clock.now();
    if (!this.host.waiting) return this.heartbeat.set(now + HEARTBEAT);
    const due = this.heardAt + HEARTBEAT;
    if (now < due) return this.heartbeat.set(due);
    this.ping();
  }

  private ping(): void {
    // The close event says the same.
    this.ask((redis) => redis.ping()).catch(() => undefined);
  }
}
