import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { expectNothingLeft, pidsIn, runCommand, stopCommand } from '../helpers/run-command.js';

const LIMIT = 120_000;

/** Every check that the demo makes on locked processes. */
const CHECKS = [
  'no payment is lost',
  'one payment at a time',
  'fences rise',
  'arrival order is kept',
  'fences follow that order',
  'one reservation at a time',
  'no seat is sold twice',
  'never more than 3 at once',
  '@WithLock on a handler',
  'LockInterceptor on a controller',
  'GET shows the holder',
  'PTTL shows the rest of its lease',
  'ZRANGE shows who waits, in order',
  'EXISTS says free afterwards',
  'one run per tick in all processes',
  'the lock passes on when the lease ends',
  'its late write is refused by the fence',
  'lease.held is false when it wakes',
  'the ledger has the one entry',
  'nothing is left behind in Redis',
];

/** These hold without locks too: nobody overtakes whom nobody waits for, and no lock leaves anything behind. */
const HOLD_ANYWAY = ['arrival order is kept', 'EXISTS says free afterwards', 'nothing is left behind in Redis'];

/** After a test that ran out of time. */
afterEach(stopCommand);

const lines = (output: string, sign: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith(`   ${sign} `))
    .map((line) => line.slice(5));

const including = (line: string) => expect.stringContaining(`${line} `) as unknown as string;

describe('npm run demo', () => {
  it(
    'shows that every check holds, and stops all that it started',
    async () => {
      const { child, output } = runCommand('npm', ['run', '--silent', 'demo']);
      const [code] = (await once(child, 'close')) as [number];

      expect({
        code,
        failed: lines(output(), '✗'),
        output: output(),
      }).toMatchObject({ code: 0, failed: [] });
      const passed = lines(output(), '✓');
      expect(passed).toEqual([including('without a lock money gets lost'), ...CHECKS.map(including)]);
      expect(output()).toContain(`All ${CHECKS.length + 1} checks hold.`);
      expect(output()).not.toContain('\u001B');
      await expectNothingLeft(output());
    },
    LIMIT,
  );

  it(
    'fails by the same checks when the locks are off',
    async () => {
      const { child, output } = runCommand('npm', ['run', '--silent', 'demo', '--', '--unlocked']);
      const [code] = (await once(child, 'close')) as [number];

      expect({ code, output: output() }).toMatchObject({ code: 1 });
      const broken = CHECKS.filter((check) => !HOLD_ANYWAY.includes(check));
      const failed = lines(output(), '✗').filter((line) => line.includes('  '));
      expect(failed).toEqual(broken.map(including));
      await expectNothingLeft(output());
    },
    LIMIT,
  );

  it(
    'stops all that it started when it is interrupted',
    async () => {
      const { child, output } = runCommand(process.execPath, ['tools/demo/main.mjs']);
      let interrupted = false;
      child.stdout?.on('data', () => {
        if (interrupted || pidsIn(output()).length < 3) return;
        interrupted = child.kill('SIGINT');
      });
      const [code] = (await once(child, 'close')) as [number];

      expect({ code, output: output() }).toMatchObject({ code: 130 });
      await expectNothingLeft(output());
    },
    LIMIT,
  );

  it('refuses an argument that it does not know', async () => {
    const { child, output } = runCommand(process.execPath, ['tools/demo/main.mjs', '--unlock']);
    const [code] = (await once(child, 'close')) as [number];

    expect(code).toBe(2);
    expect(output()).toContain('--unlock');
  });
});
