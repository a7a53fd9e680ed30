import { encodePush, encodeReply, type Protocol } from '../resp/encode-reply.js';
import { ErrorReply, Status, type Reply } from '../resp/reply.js';
import { ProtocolError, RequestParser } from '../resp/request-parser.js';
import type { ServerCore } from './server-core.js';

/** What the server needs of a connection: any Duplex has it. */
export interface ByteStream {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'close' | 'end' | 'error', listener: () => void): unknown;
  write(chunk: Uint8Array): unknown;
  end(): unknown;
  destroy(): unknown;
}

/** One connection, from the server's side. */
export class Session {
  protocol: Protocol = 2;
  database = 0;
  name = '';
  private readonly parser = new RequestParser();
  private readonly subscriptions = new Set<string>();
  /** What this turn has to say; sent in one piece. */
  private output = '';
  private working = false;
  private ending = false;

  constructor(
    readonly id: number,
    private readonly server: ServerCore,
    private readonly stream: ByteStream,
  ) {
    stream.on('data', (chunk) => this.receive(chunk));
    stream.on('end', () => stream.end());
    stream.on('close', () => this.forget());
    // The event of the end follows.
    stream.on('error', () => undefined);
  }

  get listening(): boolean {
    return this.subscriptions.size > 0;
  }

  channels(): string[] {
    return [...this.subscriptions];
  }

  subscribe(channel: string): void {
    this.subscriptions.add(channel);
    this.server.pubSub.subscribe(channel, this);
    this.push(['subscribe', channel, this.subscriptions.size]);
  }

  unsubscribe(channel: string): void {
    this.subscriptions.delete(channel);
    this.server.pubSub.unsubscribe(channel, this);
    this.push(['unsubscribe', channel, this.subscriptions.size]);
  }

  push(items: readonly Reply[]): void {
    this.write(encodePush(items, this.protocol));
  }

  pong(text: string | undefined): Reply {
    if (this.listening && this.protocol === 2) return ['pong', text ?? ''];
    return text ?? new Status('PONG');
  }

  endAfterReply(): void {
    this.ending = true;
  }

  /** To what a new connection is. */
  reset(): void {
    this.leaveChannels();
    this.protocol = 2;
    this.database = 0;
    this.name = '';
  }

  close(): void {
    this.forget();
    this.stream.destroy();
  }

  private receive(chunk: Uint8Array): void {
    this.working = true;
    try {
      for (const words of this.parser.feed(chunk)) {
        if (this.ending) break;
        const reply = this.server.run(this, words);
        this.output += encodeReply(reply, this.protocol);
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.output += encodeReply(new ErrorReply(`ERR Protocol error: ${error.message}`), this.protocol);
      this.ending = true;
    } finally {
      this.working = false;
      this.flush();
    }
    if (this.ending) this.stream.end();
  }

  private write(text: string): void {
    this.output += text;
    if (!this.working) this.flush();
  }

  private flush(): void {
    if (this.output === '') return;
    const bytes = Buffer.from(this.output, 'latin1');
    this.output = '';
    this.stream.write(bytes);
  }

  private leaveChannels(): void {
    for (const channel of this.subscriptions) this.server.pubSub.unsubscribe(channel, this);
    this.subscriptions.clear();
  }

  private forget(): void {
    this.leaveChannels();
    this.server.drop(this);
  }
}
