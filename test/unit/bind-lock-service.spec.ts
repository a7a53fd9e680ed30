import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { WithLock } from '../../lib/decorators/index.js';
import { LockOptionsError } from '../../lib/errors/index.js';
import { bindLockService } from '../../lib/testing/index.js';
import { fakeLocks } from '../helpers/fake-service.js';

class Audit {
  @WithLock('here')
  async here(): Promise<string> {
    return 'here';
  }

  @WithLock('there', { connection: 'audit' })
  async there(): Promise<string> {
    return 'there';
  }
}

describe('bindLockService', () => {
  it('should serve every connection that the class uses, and give the object back', async () => {
    const { locks, engine } = fakeLocks();
    const audit = new Audit();
    expect(bindLockService(audit, locks)).toBe(audit);
    expect([await audit.here(), await audit.there()]).toEqual(['here', 'there']);
    expect(engine.requests.map(({ name }) => name)).toEqual(['here', 'there']);
  });

  it('should leave no trace in comparisons, and take another service later', async () => {
    const first = fakeLocks();
    const second = fakeLocks();
    const audit = bindLockService(new Audit(), first.locks);
    expect(audit).toStrictEqual(new Audit());
    await bindLockService(audit, second.locks).here();
    expect([first.engine.requests.length, second.engine.requests.length]).toEqual([0, 1]);
  });

  it('should refuse an object without locked methods', () => {
    class Plain {}
    const call = () => bindLockService(new Plain(), fakeLocks().locks);
    expect(call).toThrow(LockOptionsError);
    expect(call).toThrow(/Plain has no method/);
  });
});
