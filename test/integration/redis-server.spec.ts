import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ping, startRedis, startRedisProcess } from '../../tools/redis/index.mjs';

const PARENT = 'test/fixtures/redis-parent.mjs';
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const start = async (options?: Parameters<typeof startRedis>[0]) => {
  const server = await startRedis(options);
  stops.push(server.stop);
  return server;
};

describe('startRedis', () => {
  it('gives each caller a server of its own, with redis-cli', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.port).not.toBe(two.port);
    expect(one.url).toBe(`redis://${one.host}:${one.port}`);
    expect(one.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await one.cli('SET', 'k', 'a b')).toBe('OK');
    expect(await one.cli('GET', 'k')).toBe('a b');
    expect(await two.cli('EXISTS', 'k')).toBe('0');
  });

  it('passes options on', async () => {
    const server = await start({ args: ['--maxmemory', '7mb'] });
    const answer = await server.cli('CONFIG', 'GET', 'maxmemory');
    expect(answer).toBe(`maxmemory\n${7 * 1024 * 1024}`);
  });

  it('keeps nothing on disk', async () => {
    const server = await start();
    expect(await server.cli('CONFIG', 'GET', 'save')).toMatch(/^save\n?$/);
  });

  it('stops, twice too, and starts again on the same port', async () => {
    const first = await start();
    await first.stop();
    await first.stop();
    expect(await ping(first)).toBe(false);
    const second = await start({ port: first.port });
    expect(second.port).toBe(first.port);
  });
});

describe('startRedisProcess', () => {
  it('gives a process that takes signals, and ends it when stopped', async () => {
    const server = await startRedisProcess();
    process.kill(server.pid, 'SIGSTOP');
    expect(await ping(server)).toBe(false);
    await server.stop();
    expect(() => process.kill(server.pid, 0)).toThrow('ESRCH');
  });

  it('says why a server does not start', async () => {
    const wrong = startRedisProcess({ args: ['--no-such-option', 'x'] });
    await expect(wrong).rejects.toThrow(/did not start:[^]*no-such-option/);
  });

  it('refuses a port that is taken', async () => {
    const server = await start();
    const second = startRedisProcess({ port: server.port });
    await expect(second).rejects.toThrow('Address already in use');
  });

  it.each(['exit', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const)('ends with its parent: %s', async (ending) => {
    const parent = spawn(process.execPath, [PARENT, ending]);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const address = JSON.parse(String(line)) as {
      host: string;
      port: number;
    };
    if (ending !== 'exit') {
      parent.kill(ending);
    }
    while (await ping(address)) {
      await sleep(20);
    }
  });

  it('is waited for where nothing else keeps the process alive', async () => {
    const parent = spawn(process.execPath, [PARENT, 'stop']);
    const printed: string[] = [];
    parent.stdout.on('data', (data) => printed.push(String(data)));
    expect(await once(parent, 'close')).toEqual([0, null]);
    expect(printed.join('')).toMatch(/stopped\n$/);
  });

  it('leaves no folder behind', async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('redis-lock-'));
    const before = folders();
    const server = await startRedisProcess();
    const own = folders().filter((name) => !before.includes(name));
    expect(own).not.toEqual([]);
    await server.stop();
    expect(folders()).not.toEqual(expect.arrayContaining(own));
  });
});
