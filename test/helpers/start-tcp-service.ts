import { afterEach } from '@jest/globals';
import type { INestApplication, INestApplicationContext, INestMicroservice, ModuleMetadata } from '@nestjs/common';
import {
  ClientProxyFactory,
  Transport,
  type ClientProxy,
  type MicroserviceOptions,
  type TcpOptions,
} from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import type { AddressInfo, Server } from 'node:net';
import { startApp } from './start-app.js';

const HOST = '127.0.0.1';
const OPTIONS: TcpOptions = { transport: Transport.TCP, options: { host: HOST, port: 0 } };

const open: { close(): unknown }[] = [];

export interface TcpService {
  app: INestApplicationContext;
  client: ClientProxy;
}

/**
 * A service that listens to messages on TCP, and one that sends them; closed after the test.
 *
 * @param hybrid whether it is part of an application with an HTTP server
 */
export async function startTcpService(metadata: ModuleMetadata, hybrid: boolean): Promise<TcpService> {
  const { app, service } = hybrid ? await startHybrid(metadata) : await startPure(metadata);
  const { port } = service.unwrap<Server>().address() as AddressInfo;
  const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host: HOST, port } });
  open.push(client);
  await client.connect();
  return { app, client };
}

async function startPure(metadata: ModuleMetadata) {
  const module = await Test.createTestingModule(metadata).compile();
  const service = module.createNestMicroservice<MicroserviceOptions>({ ...OPTIONS, logger: false });
  open.unshift(service);
  await service.listen();
  return { app: service, service };
}

async function startHybrid(metadata: ModuleMetadata) {
  let service: INestMicroservice | undefined;
  const configure = (hybrid: INestApplication) => {
    service = hybrid.connectMicroservice<MicroserviceOptions>(OPTIONS);
    return hybrid.startAllMicroservices();
  };
  const app = await startApp(metadata, undefined, { configure });
  return { app, service: service as unknown as INestMicroservice };
}

afterEach(async () => {
  // Clients first: a server waits for those who are connected.
  while (open.length > 0) await open.pop()?.close();
});
