import type { History } from '../history/history.js';
import { asleep } from './asleep.js';
import { belief } from './belief.js';
import { busy } from './busy.js';
import type { Checker, Violation } from './checker.js';
import { fences } from './fences.js';
import { leftovers } from './leftovers.js';
import { line } from './line.js';
import { logs } from './logs.js';
import { loss } from './loss.js';
import { order } from './order.js';
import { orphans } from './orphans.js';
import { overlap } from './overlap.js';
import { recovery } from './recovery.js';
import { releases } from './releases.js';
import { strays } from './strays.js';
import { turns } from './turns.js';
import { unheard } from './unheard.js';
import { waits } from './waits.js';

export const CHECKERS: readonly Checker[] = [
  overlap,
  belief,
  fences,
  order,
  line,
  turns,
  unheard,
  busy,
  releases,
  loss,
  asleep,
  waits,
  orphans,
  strays,
  logs,
  recovery,
  leftovers,
];

/** What is wrong with a history, by all checkers or by some. */
export function findViolations(history: History, checkers = CHECKERS): Violation[] {
  return checkers.flatMap(({ name, check }) => [...check(history)].map((finding) => ({ check: name, ...finding })));
}
