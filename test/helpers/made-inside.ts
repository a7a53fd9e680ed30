import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { waitUntil } from './wait-until.js';

/**
 * Makes something that keeps its place of birth or a listener, and that can be set off later.
 *
 * @param listener what it calls
 * @returns sets it off; the listener may run after that
 */
export type Maker = (listener: () => void) => (() => void) | Promise<() => void>;

/** What code inside of a locked call may leave behind. */
export const MAKERS: Record<string, Maker> = {
  'an EventEmitter': (listener) => {
    const emitter = new EventEmitter().on('it', listener);
    return () => void emitter.emit('it');
  },
  'a stream': (listener) => {
    const stream = new PassThrough().on('data', listener);
    return () => void stream.write('it');
  },
  'a socket': async (listener) => {
    const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.once('data', () => {
      listener();
      socket.destroy();
      server.close();
    });
    return () => void socket.write('it');
  },
  'a promise': (listener) => {
    let resolve!: () => void;
    const promise = new Promise<void>((done) => (resolve = done));
    void promise.then(listener);
    return () => resolve();
  },
  'a timer': (listener) => {
    let due = false;
    void waitUntil(() => due, 'the test').then(listener);
    return () => void (due = true);
  },
  'an AsyncResource': (listener) => AsyncResource.bind(listener),
  'a snapshot of the context': (listener) => {
    const run = AsyncLocalStorage.snapshot() as (callback: () => void) => void;
    return () => run(listener);
  },
};
