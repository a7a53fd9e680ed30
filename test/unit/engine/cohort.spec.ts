import { describe, expect, it } from '@jest/globals';
import type { AcquireRequest } from '../../../lib/engine/acquire-request.interface.js';
import { Cohort } from '../../../lib/engine/cohort/cohort.js';
import type { EngineContext } from '../../../lib/engine/engine-context.js';
import type { Farewell } from '../../../lib/engine/farewells.js';
import type { Acquirer } from '../../../lib/engine/waiting/acquirer.js';
import type { Waiter } from '../../../lib/engine/waiting/waiter.js';

const keys = { owner: 'lock:k', queue: 'queue:{lock:k}', seen: 'seen:{lock:k}' };

describe('Cohort', () => {
  it('gives a grant back whose last caller left on its way in, such as by a logger that ends the call', async () => {
    const patience = new AbortController();
    const request = {
      kind: 'lock',
      name: 'k',
      keys,
      ttl: 1_000,
      wait: 1_000,
      signal: patience.signal,
    } as AcquireRequest;
    const farewells: Farewell[] = [];
    let idle = false;
    const waiter = { request, done: false } as Waiter;
    const context = {
      runtime: { monotonic: () => 0 },
      farewells: { say: (farewell: Farewell) => farewells.push(farewell) },
    } as unknown as EngineContext;
    const acquirer = { apply: () => waiter, departures: {} } as unknown as Acquirer;
    const cohort = new Cohort(keys, context, acquirer, { passes: 1, time: 1_000 }, { closed: () => (idle = true) });
    const joined = cohort.join(request).catch((error: unknown) => error);
    // As `Acquirer.enter` does it: the entry is done before anybody is told.
    waiter.done = true;
    patience.abort('enough');
    cohort.granted({ token: 't', fence: 7, grantedAt: 0, validUntil: 900, lease: 1_000 }, waiter);
    expect(await joined).toBe('enough');
    expect(farewells).toEqual([{ kind: 'lock', keys, token: 't', fence: 7, keepUntil: 0 }]);
    expect(idle).toBe(true);
  });
});
