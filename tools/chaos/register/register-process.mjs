// The resource that the locks protect: a process of its own, which no fault of a run touches.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { now } from '../clock.mjs';
import { Register } from './register.mjs';

/** @import { Write } from '../types.mjs' */

const [socketPath = '', path = '', checks] = process.argv.slice(2);
const register = new Register(checks !== 'unchecked');
/** @type {string[]} */
let log = [];
const flush = () => {
  if (log.length > 0) appendFileSync(path, log.join(''));
  log = [];
};
setInterval(flush, 100);

const server = createServer((socket) => {
  // Clients are killed. What reads their lines hands their errors on.
  const lines = createInterface({ input: socket });
  for (const end of [socket, lines]) end.on('error', () => socket.destroy());
  lines.on('line', (line) => {
    const { key, fence, token } = /** @type {Pick<Write, 'key' | 'fence' | 'token'>} */ (JSON.parse(line));
    const accepted = register.write({ key, fence });
    log.push(`${JSON.stringify({ at: now(), key, fence, token, accepted })}\n`);
    socket.write(accepted ? '1\n' : '0\n');
  });
});
server.listen(socketPath, () => process.send?.('ready'));
process.on('message', (message) => {
  if (message !== 'flush') return;
  flush();
  process.send?.('flushed');
});
process.on('disconnect', () => process.exit());
