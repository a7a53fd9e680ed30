// The resource that the locks protect: a process of its own, which no fault of a run touches.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { now } from '../clock.mjs';
import { Register } from './register.mjs';

/** @import { Write } from '../types.mjs' */

const [path = '', log = '', checks] = process.argv.slice(2);
const register = new Register(checks !== 'unchecked');
/** @type {string[]} */
let lines = [];
const flush = () => {
  if (lines.length > 0) appendFileSync(log, lines.join(''));
  lines = [];
};
setInterval(flush, 100);

const server = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  createInterface({ input: socket }).on('line', (line) => {
    const { key, fence, token } = /** @type {Pick<Write, 'key' | 'fence' | 'token'>} */ (JSON.parse(line));
    const accepted = register.write({ key, fence });
    lines.push(`${JSON.stringify({ at: now(), key, fence, token, accepted })}\n`);
    socket.write(accepted ? '1\n' : '0\n');
  });
});
server.listen(path, () => process.send?.('ready'));
process.on('message', (message) => {
  if (message !== 'flush') return;
  flush();
  process.send?.('flushed');
});
process.on('disconnect', () => process.exit());
