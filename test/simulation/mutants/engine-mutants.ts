import type { Clock } from '../../../lib/engine/clock.js';
import { CommandConnection } from '../../../lib/engine/connection/command-connection.js';
import { ConnectionLog } from '../../../lib/engine/connection/connection-log.js';
import { Farewells } from '../../../lib/engine/farewells.js';
import { HeldLease } from '../../../lib/engine/holding/held-lease.js';
import { LeaseKeeper } from '../../../lib/engine/holding/lease-keeper.js';
import { Departures } from '../../../lib/engine/waiting/departures.js';
import type { Waiter } from '../../../lib/engine/waiting/waiter.js';
import { WaitingRooms } from '../../../lib/engine/waiting/waiting-rooms.js';
import { replaceMethod, type Mutant } from './mutant.js';

const nothing = (): void => undefined;

/** Methods that are private in the class, by the shape that a mutant needs. */
const hidden = <T extends object>(prototype: object): T => prototype as T;

const onlyNote = (waiter: Waiter, error: unknown): void => {
  waiter.trouble = error;
};

/** Faults of the client. */
export const engineMutants: readonly Mutant[] = [
  {
    name: 'no-deadline',
    what: 'a holder believes for ever that it holds',
    install() {
      const { prototype } = HeldLease;
      const descriptor = Object.getOwnPropertyDescriptor(prototype, 'deadline') as PropertyDescriptor;
      Object.defineProperty(prototype, 'deadline', { ...descriptor, get: () => Infinity });
      return () => void Object.defineProperty(prototype, 'deadline', descriptor);
    },
  },
  {
    name: 'deadline-from-reply',
    what: 'a lease is counted from the answer, not from the request',
    install: () =>
      replaceMethod(
        CommandConnection.prototype,
        'dispatch',
        (original) =>
          function (this: CommandConnection, script, done, failed) {
            const { clock } = hidden<{ context: { clock: Clock } }>(this).context;
            original.call(this, script, (answer) => done({ ...answer, sentAt: clock.now() }), failed);
          },
      ),
  },
  {
    name: 'notice-only',
    what: 'a waiter relies on its message and never polls',
    install: () => replaceMethod(hidden<{ plan(): void }>(WaitingRooms.prototype), 'plan', () => nothing),
  },
  {
    name: 'no-cancel',
    what: 'an acquire whose outcome is unknown is forgotten',
    install: () => {
      const undo = replaceMethod(Departures.prototype, 'inTrouble', () => onlyNote);
      const undoLeave = replaceMethod(
        Departures.prototype,
        'leave',
        (original) =>
          function (this: Departures, waiter, error, cancels) {
            original.call(this, waiter, error, cancels !== false && !waiter.inFlight && waiter.answered);
          },
      );
      return () => {
        undoLeave();
        undo();
      };
    },
  },
  {
    name: 'deaf-to-not-ours',
    what: 'a renewal takes "not ours" for a success',
    install: () =>
      replaceMethod(
        hidden<{ renewed(lease: HeldLease, ours: boolean, sentAt: number, wanted: number): void }>(
          LeaseKeeper.prototype,
        ),
        'renewed',
        (original) =>
          function (this: LeaseKeeper, lease, _ours, sentAt, wanted) {
            original.call(hidden(this), lease, true, sentAt, wanted);
          },
      ),
    // As for `renewal-of-anybody`.
    faults: ['restart-empty'],
  },
  {
    name: 'silent-loss',
    what: 'nothing renews a lease, and nobody is told when it ends',
    install: () => replaceMethod(LeaseKeeper.prototype, 'look', () => nothing),
  },
  {
    name: 'one-farewell',
    what: 'a release that was not answered is not sent again',
    install: () => replaceMethod(Farewells.prototype, 'resend', () => nothing),
  },
  {
    name: 'endless-wait',
    what: 'a wait ends only with an answer',
    install: () => replaceMethod(Departures.prototype, 'setDeadline', () => nothing),
  },
  {
    name: 'chatter',
    what: 'every failed attempt to connect is a line in the log',
    install: () =>
      replaceMethod(
        ConnectionLog.prototype,
        'lost',
        (original) =>
          function (this: ConnectionLog, error) {
            hidden<{ out: boolean }>(this).out = false;
            original.call(this, error);
          },
      ),
  },
];
