import { connect, type Socket } from 'node:net';

export type Direction = 'requests' | 'replies';

/** What a connection is used for, known as soon as it was used. */
export type LinkKind = 'commands' | 'subscriber';

/** Looks at one piece of the stream as text: usually one command, one answer or one message. */
export type Matcher = (piece: string) => boolean;

export interface Hold {
  applies(link: ProxyLink, direction: Direction): boolean;
  /** On each connection it begins with the first piece that this accepts. */
  from?: Matcher | undefined;
}

export interface Loss {
  direction: Direction;
  matches: Matcher;
  done(): void;
}

/** What is wrong with the network, for all connections of one proxy. */
export interface Faults {
  readonly delays: Record<Direction, number>;
  readonly holds: Set<Hold>;
  readonly losses: Set<Loss>;
}

const SUBSCRIBES = /\r\ns?subscribe\r\n/i;
const COMMANDS = /\r\n(time|eval|evalsha)\r\n/i;

/** One direction of one connection: pieces in their order, each when it is due and nothing holds it. */
class Pipe {
  private readonly queue: { piece: Buffer; due: number }[] = [];
  private readonly holds = new Set<Hold>();
  private timer: NodeJS.Timeout | undefined;
  private ending = false;

  constructor(private readonly target: Socket) {}

  heldBy(hold: Hold): number {
    return this.holds.has(hold) ? this.queue.length : 0;
  }

  hold(hold: Hold): void {
    this.holds.add(hold);
  }

  letGo(hold: Hold): void {
    if (this.holds.delete(hold)) this.deliver();
  }

  push(piece: Buffer, delay: number): void {
    this.queue.push({ piece, due: performance.now() + delay });
    this.deliver();
  }

  /** Ends the far side once everything has arrived there. */
  end(): void {
    this.ending = true;
    this.deliver();
  }

  clear(): void {
    clearTimeout(this.timer);
    this.queue.length = 0;
  }

  private readonly deliver = (): void => {
    clearTimeout(this.timer);
    while (this.holds.size === 0) {
      const [next] = this.queue;
      if (!next) {
        if (this.ending) this.target.end();
        return;
      }
      const left = next.due - performance.now();
      if (left > 0) {
        this.timer = setTimeout(this.deliver, left);
        return;
      }
      this.queue.shift();
      if (this.target.writable) this.target.write(next.piece);
    }
  };
}

/** One connection of a client through a proxy. */
export class ProxyLink {
  kind: LinkKind | undefined;
  onClose: () => void = () => undefined;
  private readonly server: Socket;
  private readonly pipes: Record<Direction, Pipe>;
  /** The next answer is lost, and then the connection. */
  private losing: Loss | undefined;
  private silent = false;

  constructor(
    private readonly client: Socket,
    port: number,
    private readonly faults: Faults,
  ) {
    const host = '127.0.0.1';
    const server = connect({ host, port, allowHalfOpen: true });
    this.server = server;
    this.pipes = { requests: new Pipe(server), replies: new Pipe(client) };
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      // A close follows.
      socket.on('error', () => undefined);
      socket.on('close', () => this.closed());
    }
    client.on('data', (piece) => this.receive('requests', piece));
    server.on('data', (piece) => this.receive('replies', piece));
    for (const ended of ['end', 'close']) {
      client.on(ended, () => this.pipes.requests.end());
      server.on(ended, () => this.silent || this.pipes.replies.end());
    }
  }

  /** Pieces that wait for this hold. */
  held(hold: Hold): number {
    return this.pipes.requests.heldBy(hold) + this.pipes.replies.heldBy(hold);
  }

  /** Also what is on its way already. */
  hold(hold: Hold): void {
    for (const direction of ['requests', 'replies'] as const) {
      if (hold.applies(this, direction)) this.pipes[direction].hold(hold);
    }
  }

  letGo(hold: Hold): void {
    this.pipes.requests.letGo(hold);
    this.pipes.replies.letGo(hold);
  }

  cut(): void {
    this.client.destroy();
    this.server.destroy();
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.server.resetAndDestroy();
  }

  drop(): void {
    this.client.resetAndDestroy();
  }

  halfOpen(): void {
    this.silent = true;
    this.server.destroy();
  }

  private receive(direction: Direction, piece: Buffer): void {
    if (this.silent) return;
    const text = piece.toString('latin1');
    if (direction === 'requests') this.recognise(text);
    if (this.losing) return direction === 'replies' ? this.lost(this.losing) : undefined;
    for (const loss of this.faults.losses) {
      if (loss.direction !== direction || !loss.matches(text)) continue;
      this.faults.losses.delete(loss);
      if (direction === 'replies') return this.lost(loss);
      this.losing = loss;
    }
    for (const hold of this.faults.holds) {
      if (hold.applies(this, direction) && (hold.from?.(text) ?? true)) this.pipes[direction].hold(hold);
    }
    this.pipes[direction].push(piece, this.faults.delays[direction]);
  }

  private recognise(text: string): void {
    if (SUBSCRIBES.test(text)) this.kind = 'subscriber';
    else if (COMMANDS.test(text)) this.kind ??= 'commands';
  }

  private lost(loss: Loss): void {
    this.cut();
    loss.done();
  }

  private closed(): void {
    if (!this.client.destroyed || !this.server.destroyed) return;
    this.pipes.requests.clear();
    this.pipes.replies.clear();
    this.onClose();
  }
}
