// A process that stands between clients and a server and holds back all bytes for a while, in both directions.
import { createConnection, createServer } from 'node:net';
import { now } from './clock.mjs';

/** A timer may come so much later than asked, ms; the rest is waited for by looking at the clock. */
const COARSE = 1.2;
const [target, delay] = [Number(process.argv[2]), Number(process.argv[3])];

/** @type {{ due: number, deliver: () => void }[]} in the order in which they are due, since all wait for the same time */
const line = [];
let looking = false;

function look() {
  while (line[0] && line[0].due <= now()) line.shift()?.deliver();
  const next = line[0];
  looking = next !== undefined;
  if (next === undefined) return;
  if (next.due - now() > COARSE) setTimeout(look, 1);
  else setImmediate(look);
}

/** @param {() => void} deliver */
function later(deliver) {
  line.push({ due: now() + delay, deliver });
  if (looking) return;
  looking = true;
  look();
}

const server = createServer((client) => {
  const upstream = createConnection({ port: target, host: '127.0.0.1', noDelay: true });
  client.setNoDelay(true);
  for (const [from, to] of /** @type {const} */ ([
    [client, upstream],
    [upstream, client],
  ])) {
    from.on('data', (bytes) => later(() => to.writable && to.write(bytes)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => to.destroy());
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send?.(address.port);
});
process.on('disconnect', () => process.exit());
