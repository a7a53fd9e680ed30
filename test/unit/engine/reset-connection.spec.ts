import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resetConnection } from '../../../lib/engine/connection/reset-connection.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function open(path?: string): Promise<Socket> {
  const server = createServer((peer) => peer.on('error', () => undefined));
  servers.push(server);
  await new Promise<void>((resolve) => (path ? server.listen(path, resolve) : server.listen(0, '127.0.0.1', resolve)));
  const socket = path ? connect(path) : connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

describe('resetConnection', () => {
  it.each<[string, (socket: Socket) => unknown, string | undefined]>([
    ['that is open', () => undefined, undefined],
    ['that is ending', (socket) => socket.end(), undefined],
    ['of the file system', () => undefined, join(tmpdir(), `reset-${process.pid}.sock`)],
  ])('should close a socket %s, without an error', async (_, prepare, path) => {
    const socket = await open(path);
    const errors: unknown[] = [];
    socket.on('error', (error) => errors.push(error));
    prepare(socket);
    const closed = once(socket, 'close');
    resetConnection({ stream: socket } as never);
    await closed;
    expect(errors).toEqual([]);
  });
});
