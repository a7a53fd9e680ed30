import type { ExecutionContext } from '@nestjs/common';
import type { EventEmitter } from 'node:events';

/** A response or a socket, of Node or of what is built upon it. */
type Connection = EventEmitter & {
  readonly destroyed?: boolean;
  readonly writableEnded?: boolean;
  readonly socket?: Connection | null;
  /** Of HTTP/2. */
  readonly stream?: { readonly destroyed: boolean };
  /** Of a WebSocket; 2 and 3 are closing and closed. */
  readonly readyState?: unknown;
  /** Of socket.io. */
  readonly connected?: boolean;
};

/** Express hands out the objects of Node, Fastify wraps them. */
interface Exchange {
  readonly raw?: Connection;
  readonly res?: Exchange;
}

const CLOSING = 2;

/**
 * Calls back once, as soon as the client that waits for this call has gone away; at once if it has gone already. On a
 * transport without a connection for each caller it never does.
 *
 * @returns takes the listener off again
 */
export function onDisconnect(context: ExecutionContext, listener: () => void): () => void {
  const [response, connection] = connectionOf(context);
  if (typeof connection?.once !== 'function') return () => undefined;
  const gone = (): void => {
    // Somebody else has answered, such as a timeout: that is no client that left.
    if (response?.writableEnded !== true) listener();
  };
  if (hasGone(connection)) {
    gone();
    return () => undefined;
  }
  return listen(connection, gone);
}

function connectionOf(context: ExecutionContext): [response: Connection | undefined, source: Connection | undefined] {
  switch (context.getType<string>()) {
    case 'http':
      return overHttp(context.getArgByIndex(0), context.getArgByIndex(1));
    case 'graphql': {
      const { req, res } = context.getArgByIndex<{ req?: Exchange; res?: Exchange } | undefined>(2) ?? {};
      return overHttp(req, res ?? req?.res);
    }
    case 'ws':
      return [undefined, context.switchToWs().getClient()];
    default:
      return [undefined, undefined];
  }
}

/** The response, since a connection may serve many. One that is pipelined has no connection yet and is told nothing. */
function overHttp(request: Exchange | undefined, response: Exchange | undefined): ReturnType<typeof connectionOf> {
  const answer = nodeObject(response);
  if (answer !== undefined && answer.socket !== null) return [answer, answer];
  return [answer, nodeObject(request)?.socket ?? undefined];
}

function nodeObject(exchange: Exchange | undefined): Connection | undefined {
  return exchange?.raw ?? (exchange as Connection | undefined);
}

function hasGone({ destroyed, stream, readyState, connected }: Connection): boolean {
  if (typeof readyState === 'number') return readyState >= CLOSING;
  return destroyed === true || stream?.destroyed === true || connected === false;
}

function listen(connection: Connection, listener: () => void): () => void {
  const departure = departures.get(connection) ?? new Departure(connection);
  return departure.add(listener);
}

/** One listener per connection serves all who wait behind it, such as the fields of one GraphQL query. */
class Departure {
  private readonly listeners = new Set<() => void>();

  constructor(private readonly connection: Connection) {
    departures.set(connection, this);
    connection.once(this.event, this.tell);
  }

  add(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      if (this.listeners.delete(listener) && this.listeners.size === 0) this.end();
    };
  }

  private get event(): string {
    // To socket.io "close" is a message that a client may send.
    return typeof this.connection.connected === 'boolean' ? 'disconnect' : 'close';
  }

  private readonly tell = (): void => {
    const listeners = [...this.listeners];
    this.listeners.clear();
    this.end();
    for (const listener of listeners) listener();
  };

  private end(): void {
    departures.delete(this.connection);
    this.connection.removeListener(this.event, this.tell);
  }
}

const departures = new WeakMap<Connection, Departure>();
