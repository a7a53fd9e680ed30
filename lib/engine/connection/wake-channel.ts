import { Alarm } from '../alarm.js';
import type { ConnectionContext } from './connection-context.interface.js';
import type { Wake, WakeHost } from './wake.interface.js';

/** Scripts say it, too; see lua/lock-acquire-n.lua. */
const HELLO = 'hello';
/** A server that still does not see the subscription after so many new ones will never push. */
const MOST_REOPENINGS = 3;

/** Where a channel is subscribed; the place may change. */
export interface WakeSeat {
  /** Rights that a user needs for it. */
  readonly rights: string;
  /** Begins to connect. The channel is subscribed when that has come about. */
  open(): void;
  /** Resolves when the server has confirmed, false when there is nothing to subscribe on at present. */
  subscribe(channel: string): Promise<boolean>;
  /** Publishing happens in the scripts of others, where a refusal would show only as slowness; so it is tried once. */
  publish(channel: string, message: string): Promise<unknown>;
  /** The connection has turned out to be of use. */
  works(): void;
  /** See `Wake.wantsGreeting`. */
  wantsGreeting(): boolean;
  verify(): void;
  /** The connection is to be made anew, and then the subscription. */
  reset(): void;
  /** Nothing more is asked on it for this channel. */
  rest(): void;
}

/**
 * A channel on which one process is told of its grants. It is opened when the first waiter is about to queue, and confirmed
 * before. Messages are news only, they may get lost: ownership lives in the key, and waiters poll as well.
 */
export class WakeChannel implements Wake {
  /** The server will reach us through the channel. */
  listening = false;
  /** The user has no right to subscribe or to publish: waiters poll instead. */
  refused = false;
  private opening: Promise<void> | undefined;
  private opened: () => void = () => undefined;
  /** It took too long; waiters do without until it comes. */
  private late = false;
  private reopenings = 0;
  /** Counts the attempts: what became of an older one is of no interest. */
  private attempt = 0;
  private readonly patience: Alarm;

  constructor(
    readonly name: string,
    private readonly seat: WakeSeat,
    private readonly context: ConnectionContext,
    private readonly host: WakeHost,
  ) {
    this.patience = new Alarm(context.runtime, context.clock, () => {
      this.late = true;
      this.settle();
    });
  }

  get pushable(): boolean {
    return this.listening && !this.refused;
  }

  get settled(): boolean {
    return this.listening || this.refused || this.late;
  }

  ready(): Promise<void> {
    if (this.settled) return Promise.resolve();
    if (!this.opening) {
      this.opening = new Promise((resolve) => (this.opened = resolve));
      this.patience.set(this.context.clock.now() + this.context.commandTimeout);
      this.seat.open();
    }
    return this.opening;
  }

  /** There is a connection, for the first time or anew. */
  async subscribe(): Promise<void> {
    const attempt = ++this.attempt;
    try {
      if (!(await this.seat.subscribe(this.name))) return;
      await this.seat.publish(this.name, HELLO);
    } catch (error) {
      if (attempt !== this.attempt) return;
      if (!(error instanceof Error) || !isRefusal(error)) return this.seat.reset();
      this.seat.rest();
      return this.refuse(error.message);
    }
    if (attempt !== this.attempt) return;
    this.seat.works();
    this.refused = false;
    this.late = false;
    this.listening = true;
    this.settle();
    this.host.changed();
  }

  receive(message: string, address: string): void {
    if (message !== HELLO) this.reopenings = 0;
    this.host.receive(message, address);
  }

  lost(): void {
    const { listening } = this;
    this.attempt++;
    this.listening = false;
    if (listening) this.host.changed();
  }

  wantsGreeting(): boolean {
    return this.pushable && this.seat.wantsGreeting();
  }

  verify(): void {
    if (this.listening) this.seat.verify();
  }

  reopen(): void {
    if (!this.listening) return;
    if (++this.reopenings > MOST_REOPENINGS) return this.refuse('the server does not see the subscription');
    this.lost();
    this.seat.reset();
  }

  refuse(reason: string): void {
    if (this.refused) return;
    this.refused = true;
    this.settle();
    this.context.logger.warn(
      `Redis cannot push to the channel ${this.name} (${reason}). Waiters poll, which is slower; ` +
        `a user needs the rights to ${this.seat.rights}.`,
    );
  }

  close(): void {
    this.lost();
    this.settle();
  }

  private settle(): void {
    this.patience.clear();
    this.opening = undefined;
    this.opened();
  }
}

/** No right, or a server that does not know the command. */
function isRefusal({ message }: Error): boolean {
  return message.startsWith('NOPERM') || message.startsWith('ERR unknown command');
}
