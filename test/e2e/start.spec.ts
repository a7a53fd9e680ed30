import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { isListening, runCommand, stopCommand } from '../helpers/run-command.js';
import { waitUntil } from '../helpers/wait-until.js';

// Below the ports that systems give away, and another one in every test process.
const FIRST_PORT = 21_000 + (process.pid % 3_000) * 3;
const PORTS = [FIRST_PORT, FIRST_PORT + 1, FIRST_PORT + 2];

afterEach(stopCommand);

describe('npm start', () => {
  it.each([
    ['keeps three processes up, says what to try, and stops them when it is interrupted', {}, 'Swagger: '],
    ['does so on a Redis of its own where it is told to', { REDIS_LOCK_TEST_SERVER: 'embedded' }, 'an embedded Redis'],
  ])('%s', async (_title, env, says) => {
    const { child, output } = runCommand(process.execPath, ['tools/demo/start.mjs'], { PORT: `${FIRST_PORT}`, ...env });
    const printed = () => output().includes(`localhost:${FIRST_PORT}/journal`);
    await waitUntil(() => printed() || child.exitCode !== null, 'the lines to try', 60_000);
    expect(output()).toContain(`curl -sw '\\n' localhost:${FIRST_PORT}/orders/42/payments -d amount=5`);
    expect(output()).toContain(says);

    for (const [index, port] of PORTS.entries()) {
      const body = new URLSearchParams({ amount: '5' });
      const answer = await fetch(`http://localhost:${port}/orders/42/payments`, { method: 'POST', body });
      expect(await answer.json()).toEqual({ orderId: '42', paid: 5 * (index + 1) });
    }
    const docs = await fetch(`http://localhost:${FIRST_PORT}/docs`);
    expect(await docs.text()).toContain('swagger');

    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(130);
    expect(await Promise.all(PORTS.map(isListening))).toEqual([false, false, false]);
  });

  it('says what to do when a port is taken', async () => {
    const taken = createServer().listen(FIRST_PORT, '127.0.0.1');
    try {
      const { child, output } = runCommand(process.execPath, ['tools/demo/start.mjs'], { PORT: `${FIRST_PORT}` });
      const [code] = (await once(child, 'close')) as [number];
      expect(code).toBe(1);
      expect(output()).toContain('PORT=4000 npm start');
    } finally {
      taken.close();
    }
  });
});
