import { afterEach, beforeEach } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ProxyLink, type Direction, type Faults, type Hold, type LinkKind, type Matcher } from './proxy-link.js';
import { waitUntil } from './wait-until.js';

/** Bytes that are on their way for as long as a test wants. */
export interface HeldBytes {
  /** How many pieces wait, on all connections. */
  readonly pieces: number;
  /** They arrive, and all later ones pass. */
  letGo(): void;
}

export interface HoldOptions {
  /** Only connections of this kind; all by default. */
  of?: LinkKind;
  /** On each connection only from the piece on that this accepts. */
  from?: Matcher;
}

/**
 * A TCP proxy between clients and Redis that makes the network fail. Bytes are delivered in order, however late, or the
 * connection ends: a network that loses some and goes on does not exist, and ioredis would take answers for those of other
 * commands.
 */
export class FaultProxy {
  readonly links = new Set<ProxyLink>();
  /** Connections that anybody tried to open. */
  attempts = 0;
  private refusing = false;
  private readonly faults: Faults = {
    delays: { requests: 0, replies: 0 },
    holds: new Set(),
    losses: new Set(),
  };
  private server!: Server;

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Begins anew, without any fault. */
  async start(target: number): Promise<void> {
    const { delays, holds, losses } = this.faults;
    delays.requests = delays.replies = this.attempts = 0;
    holds.clear();
    losses.clear();
    this.refusing = false;
    this.server = createServer({ allowHalfOpen: true }, (client) => {
      this.attempts++;
      if (this.refusing) return void client.resetAndDestroy();
      const link = new ProxyLink(client, target, this.faults);
      this.links.add(link);
      link.onClose = () => this.links.delete(link);
    });
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  stop(): void {
    this.server.close();
    this.cut();
  }

  /** From now on every piece in this direction takes so many ms. */
  delay(direction: Direction, ms: number): void {
    this.faults.delays[direction] = ms;
  }

  /** Keeps what goes in this direction, on the connections of now and of later. */
  hold(direction: Direction, { of, from }: HoldOptions = {}): HeldBytes {
    const applies: Hold['applies'] = (link, way) => way === direction && (of === undefined || link.kind === of);
    return this.keep({ applies, from });
  }

  /** Nothing gets through in either direction on the connections of now; new ones work. */
  blackhole(of?: LinkKind): HeldBytes {
    const chosen = new Set(this.linksOf(of));
    return this.keep({ applies: (link) => chosen.has(link) });
  }

  /**
   * The next request that matches reaches Redis; the answer is lost and the connection ends.
   *
   * @returns resolves when that has happened
   */
  loseReplyTo(request: Matcher): Promise<void> {
    return this.lose('requests', request);
  }

  /** The next piece from Redis that matches is lost, such as a message, and the connection ends. */
  loseReply(matches: Matcher): Promise<void> {
    return this.lose('replies', matches);
  }

  /** Closes connections as a program does that ends. */
  cut(of?: LinkKind): void {
    for (const link of this.linksOf(of)) link.cut();
  }

  /** Ends connections as a machine does that knows nothing of them any more. */
  reset(of?: LinkKind): void {
    for (const link of this.linksOf(of)) link.reset();
  }

  /** Clients lose the connection, and what they had sent before still reaches Redis, held or not. */
  drop(of?: LinkKind): void {
    for (const link of this.linksOf(of)) link.drop();
  }

  /** The same, and they do not get in again. Resolves when one has tried to, so that it knows. */
  async dropAndRefuse(of?: LinkKind): Promise<void> {
    const { attempts } = this;
    this.refusing = true;
    this.drop(of);
    await waitUntil(() => this.attempts > attempts, 'an attempt to connect');
  }

  /** The far end is gone, and the client's socket stays open and silent. */
  halfOpen(of?: LinkKind): void {
    for (const link of this.linksOf(of)) link.halfOpen();
  }

  /** Redis is not there: everybody is thrown out and nobody gets in. */
  down(): void {
    this.refusing = true;
    this.reset();
  }

  up(): void {
    this.refusing = false;
  }

  private keep(hold: Hold): HeldBytes {
    const { links, faults } = this;
    faults.holds.add(hold);
    if (!hold.from) for (const link of links) link.hold(hold);
    return {
      get pieces() {
        return [...links].reduce((sum, link) => sum + link.held(hold), 0);
      },
      letGo() {
        faults.holds.delete(hold);
        for (const link of links) link.letGo(hold);
      },
    };
  }

  private lose(direction: Direction, matches: Matcher): Promise<void> {
    return new Promise((done) => {
      this.faults.losses.add({ direction, matches, done });
    });
  }

  private linksOf(kind: LinkKind | undefined): ProxyLink[] {
    return [...this.links].filter((link) => !kind || link.kind === kind);
  }
}

/** A proxy in front of the Redis of the spec file, without any fault at the begin of each test. */
export function useFaultProxy(redis: { readonly port: number }): FaultProxy {
  const proxy = new FaultProxy();
  beforeEach(() => proxy.start(redis.port));
  afterEach(() => proxy.stop());
  return proxy;
}
