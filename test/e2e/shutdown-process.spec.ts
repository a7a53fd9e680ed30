import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { openLocks } from '../helpers/open-locks.js';
import { LockState } from '../helpers/lock-state.js';
import { runCommand, stopCommand, type RunningCommand } from '../helpers/run-command.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';

const redis = useRedis();

afterEach(stopCommand);

const run = (ending: string) => runCommand(process.execPath, ['test/workers/ending-worker.mjs', redis.url, ending]);

const untilPrinted = ({ output }: RunningCommand, text: string) =>
  waitUntil(() => output().includes(text), `"${text}" is printed`, 60_000);

async function untilEnded({ child, output }: RunningCommand): Promise<void> {
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  await waitUntil(ended, `the process ends by itself; it has printed ${output()}`);
}

describe('A process with locks', () => {
  it('should end by itself when its application is closed', async () => {
    const command = run('close');
    await untilEnded(command);
    expect(command.output()).toBe('used\n');
    expect(command.child.exitCode).toBe(0);
    expect(await redis.keys()).toEqual([]);
  });

  it.each(['constructor', 'onModuleInit', 'async factory'])(
    'should end by itself when the application does not start: %s',
    async (failure) => {
      const command = run(failure);
      await untilEnded(command);
      expect(command.output()).toBe('does not start\n');
      expect(command.child.exitCode).toBe(0);
    },
  );

  it('should stay up while its application is not closed, as with any open connection', async () => {
    const command = run('never');
    await untilPrinted(command, 'used');
    const connected = async () => String(await redis.client.client('LIST')).includes('cmd=evalsha');
    expect(await connected()).toBe(true);
    // Beyond all that could still end by itself, such as the timers of connections.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(command.child.exitCode).toBeNull();
    expect(await connected()).toBe(true);
  });

  it('should let a request under a lock end when it gets SIGTERM, and then end by that signal [BC-20]', async () => {
    const command = run('SIGTERM');
    const { child, output } = command;
    await untilPrinted(command, 'listening');
    const answer = fetch(/listening at (\S+)/.exec(output())?.[1] ?? '').then((response) => response.text());
    await untilPrinted(command, 'at work');
    child.kill('SIGTERM');

    const { locks } = await openLocks({ connection: redis.url });
    const state = new LockState(redis, 'k');
    const begun = await state.serverTime();
    while ((await state.serverTime()) < begun + 2_500_000) expect(await locks.tryAcquire('k')).toBeNull();
    child.kill('SIGUSR2');
    expect(await answer).toBe('answered');
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    expect([code, signal]).toEqual([null, 'SIGTERM']);
    expect(await redis.keys()).toEqual([]);
  });
});
