import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../../lib/engine/clock.js';
import { UnansweredError } from '../../../lib/engine/connection/failures.js';
import type { HeldLease } from '../../../lib/engine/holding/held-lease.js';
import { ReplicaBarrier } from '../../../lib/engine/replicas/replica-barrier.js';
import { ManualRuntime } from '../../helpers/manual-runtime.js';

describe('A barrier of replicas', () => {
  it('whose server is gone refuses everybody who asks, each once, and goes on', async () => {
    let asked = 0;
    const gone = () => {
      asked++;
      throw new UnansweredError('no answer from Redis', { cause: new Error('the node is gone') });
    };
    const barrier = new ReplicaBarrier(new Clock(new ManualRuntime()), gone, () => '');
    const lease = { name: 'k', request: { kind: 'lock', keys: { owner: 'lock:k' } } } as HeldLease;
    const passes = [100, 100, 200].map((timeout) => barrier.pass(lease, { min: 1, timeout }));
    const refused = { code: 'LOCK_UNAVAILABLE', key: 'k', cause: { message: 'the node is gone' } };
    for (const pass of await Promise.allSettled(passes)) expect(pass).toMatchObject({ reason: refused });
    expect(asked).toBe(2);
    await expect(barrier.pass(lease, { min: 1, timeout: 100 })).rejects.toMatchObject(refused);
  });
});
