import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { useFaultProxy } from '../helpers/fault-proxy.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();
const proxy = useFaultProxy(redis);
const clients: Redis[] = [];

const connect = () => {
  const client = new Redis(proxy.url, {
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: null,
  });
  client.on('error', () => undefined);
  clients.push(client);
  return client;
};

afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

describe('the fault proxy', () => {
  it('delays each direction by itself', async () => {
    const client = connect();
    await client.ping();
    proxy.delay('requests', 60);
    proxy.delay('replies', 40);
    const start = performance.now();
    await client.ping();
    expect(performance.now() - start).toBeGreaterThan(95);
  });

  it('holds from a piece on that matches, and delivers everything in order later', async () => {
    const client = connect();
    await client.set('n', 1);
    const held = proxy.hold('requests', {
      from: (piece) => piece.includes('append'),
    });
    await client.set('n', 2);
    const later = [client.append('n', '3'), client.append('n', '4')];
    await waitUntil(() => held.pieces > 0, 'held');
    expect(await redis.client.get('n')).toBe('2');
    held.letGo();
    await Promise.all(later);
    expect(await client.get('n')).toBe('234');
  });

  it('holds subscribers apart from connections for commands', async () => {
    const [subscriber, commands] = [connect(), connect()];
    const messages: string[] = [];
    subscriber.on('message', (_channel, message) => messages.push(message));
    await subscriber.subscribe('news');
    const held = proxy.hold('replies', { of: 'subscriber' });
    await commands.eval("return redis.call('PUBLISH', 'news', 'late')", 0);
    await waitUntil(() => held.pieces > 0, 'held');
    expect(messages).toEqual([]);
    held.letGo();
    await waitUntil(() => messages.length > 0, 'delivered');
  });

  it('loses an answer together with the connection, after the request was done', async () => {
    const client = connect();
    await client.set('n', 1);
    const lost = proxy.loseReplyTo((piece) => piece.includes('incr'));
    await expect(client.incr('n')).rejects.toThrow();
    await lost;
    expect(await redis.client.get('n')).toBe('2');
    await waitUntil(() => proxy.links.size === 0, 'closed');
  });

  it('delivers what sat in a dead link after its client has gone', async () => {
    const client = connect();
    await client.set('n', 1);
    const dead = proxy.blackhole();
    client.incr('n').catch(() => undefined);
    await waitUntil(() => dead.pieces > 0, 'sent');
    client.disconnect();
    const next = connect();
    expect(await next.get('n')).toBe('1');
    dead.letGo();
    await waitUntil(async () => (await next.get('n')) === '2', 'arrived');
  });

  it('leaves a half-open connection open and silent', async () => {
    const client = connect();
    await client.ping();
    let answered = false;
    let closed = false;
    client.on('close', () => (closed = true));
    proxy.halfOpen();
    client.ping().then(
      () => (answered = true),
      () => undefined,
    );
    const connections = async () =>
      String(await redis.client.client('LIST'))
        .trim()
        .split('\n').length;
    await waitUntil(async () => (await connections()) === 1, 'gone for Redis');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect({ answered, closed }).toEqual({ answered: false, closed: false });
  });

  it('cuts, refuses, and lets in again', async () => {
    const client = connect();
    await client.ping();
    proxy.down();
    await expect(client.ping()).rejects.toThrow();
    await expect(connect().ping()).rejects.toThrow();
    proxy.up();
    expect(await connect().ping()).toBe('PONG');
  });
});
