import type { Redis } from 'ioredis';
import type { CommandConnection } from './command-connection.js';
import type { ConnectionContext } from './connection-context.interface.js';
import { Subscriber } from './subscriber.js';
import { WakeChannel, type WakeSeat } from './wake-channel.js';
import type { Wake, WakeHost, Wakes } from './wake.interface.js';

/** One channel for all locks of this process, on one connection. */
export class SingleWake implements Wakes {
  private readonly subscriber: Subscriber;
  private readonly channel: WakeChannel;

  constructor(
    redis: Redis,
    channel: string,
    private readonly commands: CommandConnection,
    context: ConnectionContext,
    host: WakeHost,
  ) {
    this.channel = new WakeChannel(channel, this.seat(), context, host);
    this.subscriber = new Subscriber(redis, context, host, {
      connected: () => void this.channel.subscribe(),
      lost: () => this.channel.lost(),
      moved: () => this.channel.reopen(),
      message: (_channel, message) => this.channel.receive(message, this.subscriber.address),
    });
  }

  of(): Wake {
    return this.channel;
  }

  close(): void {
    this.channel.close();
    this.subscriber.close();
  }

  private seat(): WakeSeat {
    return {
      rights: 'SUBSCRIBE and PUBLISH on lock:wake:*',
      open: () => this.subscriber.open(),
      subscribe: async (channel) => {
        await this.subscriber.ask((redis) => redis.subscribe(channel));
        return this.subscriber.connected;
      },
      publish: (channel, message) => {
        return this.commands.ready ? this.commands.send((redis) => redis.publish(channel, message)) : Promise.resolve();
      },
      works: () => this.subscriber.works(),
      wantsGreeting: () => this.subscriber.wantsGreeting(),
      verify: () => this.subscriber.verify(),
      reset: () => this.subscriber.reset(),
      rest: () => this.subscriber.rest(),
    };
  }
}
