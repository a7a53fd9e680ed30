import { Caller } from '../../../lib/engine/cohort/caller.js';
import { Line } from '../../../lib/engine/collections/line.js';
import { Cohort } from '../../../lib/engine/cohort/cohort.js';
import { haveSameTerms } from '../../../lib/engine/cohort/terms.js';
import type { AcquireRequest } from '../../../lib/engine/acquire-request.interface.js';
import { HeldLease } from '../../../lib/engine/holding/held-lease.js';
import { Departures } from '../../../lib/engine/waiting/departures.js';
import { replaceMethod, type Mutant } from './mutant.js';

interface Turn {
  readonly passes: number;
  readonly grantedAt: number;
  readonly lease: HeldLease;
}

/** What is private in a cohort. */
interface Insides {
  readonly limits: { readonly passes: number; readonly time: number };
  mayPass(turn: Turn, next: { readonly request: AcquireRequest }): boolean;
  turnOver(lease: HeldLease): void;
  now(): number;
}

const insides = Cohort.prototype as unknown as Insides;

const withFence = (fence: (own: number) => number) => (): (() => void) =>
  replaceMethod(
    HeldLease.prototype,
    'passOn',
    (original) =>
      function (this: HeldLease, ...args) {
        const heir = original.apply(this, args);
        Object.defineProperty(heir, 'fence', { value: fence(this.fence) });
        return heir;
      },
  );

/** Faults of passing a lock on within a process. */
export const cohortMutants: readonly Mutant[] = [
  {
    name: 'fresh-heir',
    what: 'a lease that is passed on is taken for a new one',
    install: () =>
      replaceMethod(
        HeldLease.prototype,
        'passOn',
        (original) =>
          function (this: HeldLease, request, grantedAt) {
            const heir = original.call(this, request, grantedAt);
            heir.validUntil = grantedAt + this.lease;
            return heir;
          },
      ),
  },
  {
    name: 'endless-turn',
    what: 'a process keeps a lock for as long as one of its callers wants it',
    install: () =>
      replaceMethod(
        insides,
        'mayPass',
        () =>
          function (this: Insides, { lease }, { request }) {
            return lease.held && haveSameTerms(lease.request, request);
          },
      ),
  },
  { name: 'same-fence', what: 'a lease that is passed on keeps its fence', install: withFence((fence) => fence) },
  {
    name: 'fence-ahead',
    what: 'a fence is raised beyond what the server may give next',
    install: withFence((fence) => fence + 1e9),
  },
  {
    name: 'line-left-behind',
    what: 'when a turn ends by itself nobody asks for those who wait',
    install: () =>
      replaceMethod(
        insides,
        'turnOver',
        (original) =>
          function (this: Insides, lease) {
            if (lease.lost === undefined) original.call(this, lease);
          },
      ),
  },
  {
    name: 'entry-for-nobody',
    what: 'the last caller to give up leaves the entry of its process in the queue',
    install: () =>
      replaceMethod(
        Departures.prototype,
        'withdraw',
        () =>
          function (this: Departures, waiter) {
            this.remove(waiter);
          },
      ),
  },
  {
    name: 'line-jumper',
    what: 'whoever came last is served first within its process',
    install: () =>
      replaceMethod(
        Line.prototype,
        'push',
        (original) =>
          function (this: Line<Caller>, caller) {
            const { first } = this;
            if (!first || !(caller instanceof Caller)) return original.call(this, caller);
            caller.after = first;
            first.before = caller;
            this.first = caller;
          },
      ),
  },
];
