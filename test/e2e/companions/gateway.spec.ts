import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WsAdapter } from '@nestjs/platform-ws';
import { RedisLockModule } from 'nestjs-redis-lock';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { loadScripts } from '../../helpers/script-requests.js';
import { CommandCount } from '../../helpers/lock-state.js';
import { startApp } from '../../helpers/start-app.js';
import { useRedis } from '../../helpers/use-redis.js';
import { waitUntil } from '../../helpers/wait-until.js';
import { Calls } from '../../src/companions/calls.js';
import { orderGateway } from '../../src/companions/gateway/order.gateway.js';
import { CROWD, variants } from '../../src/companions/variants.js';

const redis = useRedis();
const count = new CommandCount(redis);

beforeAll(() => loadScripts(redis));

/** A client of the gateway, with the data of what it was sent by event. */
async function connect(port: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  const received: { event: string; data: unknown }[] = [];
  socket.on('message', (text: Buffer) => received.push(JSON.parse(text.toString()) as (typeof received)[number]));
  await once(socket, 'open');
  return {
    socket,
    got: (event: string) => received.filter((message) => message.event === event).map(({ data }) => data),
    send: (event: string, data: unknown) => socket.send(JSON.stringify({ event, data })),
  };
}

describe.each(variants('order:<0.id>'))('Handlers of a gateway ($name)', (variant) => {
  const under = variant.scripts > 0 ? 'order:a' : undefined;
  let clients: Awaited<ReturnType<typeof connect>>[];
  let calls: Calls;

  beforeEach(async () => {
    const app = await startApp(
      {
        imports: [RedisLockModule.forRoot({ connection: redis.url, logger: false })],
        providers: [Calls, orderGateway(variant)],
      },
      undefined,
      { configure: (adaptable) => adaptable.useWebSocketAdapter(new WsAdapter(adaptable)) },
    );
    calls = app.get(Calls);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    clients = await Promise.all([connect(port), connect(port)]);
    await count.reset();
  });

  afterEach(() => {
    for (const { socket } of clients) socket.terminate();
  });

  const paid = () => clients.flatMap(({ got }) => got('paid'));

  it('should get messages and sockets, and answer, under their lock [BC-01, BC-69]', async () => {
    clients[0]?.send('pay', { id: 'a', nonce: 1 });
    await waitUntil(() => paid().length === 1, 'the answer');
    expect(paid()).toEqual([1]);
    expect(calls.seen).toEqual([{ args: [{ id: 'a', nonce: 1 }, WebSocket.OPEN], under }]);
    expect([await count.scripts(), await redis.keys()]).toEqual([variant.scripts, []]);
  });

  it('should be denied by a guard, and then take no lock', async () => {
    clients[0]?.send('guarded', { id: 'a' });
    clients[0]?.send('pay', { id: 'b', nonce: 2 });
    await waitUntil(() => paid().length === 1, 'the answer to the later message');
    expect(clients[0]?.got('let in')).toEqual([]);
    expect(calls.seen).toHaveLength(1);
    expect(await count.scripts()).toBe(variant.scripts);
  });

  it('should run up to the limit at once', async () => {
    calls.together = variant.limit;
    for (let nonce = 0; nonce < CROWD; nonce++) clients[nonce % 2]?.send('pay', { id: 'a', nonce });
    await waitUntil(() => paid().length === CROWD, 'all answers');
    expect(new Set(paid())).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(calls).toMatchObject({ most: variant.limit, inside: 0 });
    expect(await redis.keys()).toEqual([]);
  });
});
