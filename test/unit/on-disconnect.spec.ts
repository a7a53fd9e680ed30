import { describe, expect, it } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { EventEmitter } from 'node:events';
import { onDisconnect } from '../../lib/on-disconnect.js';

class FakeConnection extends EventEmitter {
  constructor(fields: object = {}) {
    super();
    Object.assign(this, fields);
  }
}

const socket = () => new FakeConnection({ destroyed: false });
const response = (fields: object = {}) =>
  new FakeConnection({ destroyed: false, writableEnded: false, socket: {}, ...fields });

function listen(type: string, ...args: unknown[]) {
  const context = new ExecutionContextHost(args);
  context.setType(type);
  const told = { times: 0, stop: () => {} };
  told.stop = onDisconnect(context, () => (told.times += 1));
  return told;
}

describe('The client of a call has gone when', () => {
  const express = response();
  const fastify = response();
  const inDefault = response();
  const inContext = response();
  const behindRequest = socket();
  const pipelined = socket();
  const ws = new FakeConnection({ readyState: 1 });
  const io = new FakeConnection({ connected: true });

  it.each<[string, FakeConnection, string, string, unknown[]]>([
    ['its response closes (Express)', express, 'close', 'http', [{}, express]],
    ['its response closes (Fastify)', fastify, 'close', 'http', [{ raw: {} }, { raw: fastify }]],
    [
      'the connection of a pipelined request closes',
      pipelined,
      'close',
      'http',
      [{ socket: pipelined }, response({ socket: null })],
    ],
    [
      'the response behind the request closes (GraphQL)',
      inDefault,
      'close',
      'graphql',
      [{}, {}, { req: { res: inDefault } }, {}],
    ],
    [
      'the response in the context closes (GraphQL)',
      inContext,
      'close',
      'graphql',
      [{}, {}, { res: { raw: inContext } }, {}],
    ],
    [
      'the connection of the request closes (GraphQL)',
      behindRequest,
      'close',
      'graphql',
      [{}, {}, { req: { raw: { socket: behindRequest } } }, {}],
    ],
    ['its socket closes (ws)', ws, 'close', 'ws', [ws, {}]],
    ['its socket disconnects (socket.io)', io, 'disconnect', 'ws', [io, {}]],
  ])('%s', (_, connection, event, type, args) => {
    const [first, second, third] = [listen(type, ...args), listen(type, ...args), listen(type, ...args)];
    expect(connection.listenerCount(event)).toBe(1);
    second.stop();
    expect([first.times, second.times, third.times]).toEqual([0, 0, 0]);
    connection.emit(event);
    expect([first.times, second.times, third.times]).toEqual([1, 0, 1]);
    first.stop();
    expect(connection.eventNames()).toEqual([]);
  });

  it.each<[string, string, unknown[]]>([
    ['its response was destroyed before', 'http', [{}, response({ destroyed: true })]],
    [
      'its HTTP/2 stream was destroyed before',
      'http',
      [{}, response({ destroyed: undefined, stream: { destroyed: true } })],
    ],
    ['its socket was closing before (ws)', 'ws', [new FakeConnection({ readyState: 2 })]],
    ['its socket was disconnected before (socket.io)', 'ws', [new FakeConnection({ connected: false })]],
  ])('%s', (_, type, args) => {
    expect(listen(type, ...args).times).toBe(1);
  });
});

describe('The client of a call has not gone when', () => {
  it('somebody else has ended the response', () => {
    const answered = response();
    const told = listen('http', {}, answered);
    Object.assign(answered, { writableEnded: true });
    answered.emit('close');
    expect(told.times).toBe(0);
    expect(listen('http', {}, Object.assign(answered, { destroyed: true })).times).toBe(0);
  });

  it('a client of socket.io sends a message named "close"', () => {
    const io = new FakeConnection({ connected: true });
    const told = listen('ws', io);
    io.emit('close');
    expect(told.times).toBe(0);
  });

  it.each<[string, unknown[]]>([
    ['rpc', [{}, socket()]],
    ['method', [response(), response()]],
    ['graphql', [{}, {}, undefined, {}]],
    ['graphql', [{}, {}, {}, {}]],
    ['http', [{}, {}]],
    ['http', []],
  ])('nothing is known of its connection (%s %#)', (type, args) => {
    const told = listen(type, ...args);
    for (const arg of args) if (arg instanceof EventEmitter) expect(arg.eventNames()).toEqual([]);
    told.stop();
    expect(told.times).toBe(0);
  });
});

describe('A connection that nobody waits on any more', () => {
  it('has no listener left, and takes new ones', () => {
    const connection = response();
    for (let i = 0; i < 20; i++) listen('http', {}, connection).stop();
    expect(connection.eventNames()).toEqual([]);
    const told = listen('http', {}, connection);
    connection.emit('close');
    expect(told.times).toBe(1);
  });
});
