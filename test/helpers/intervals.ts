import type { Section } from './lock-process.types.js';

export const byEntry = (sections: readonly Section[]): Section[] => sections.toSorted((a, b) => a.entered - b.entered);

export const byFence = (sections: readonly Section[]): Section[] => sections.toSorted((a, b) => a.fence - b.fence);

export const tokensOf = (grants: readonly { token: string }[]): string[] => grants.map(({ token }) => token);

/** Failures need no more examples than these. */
const EXAMPLES = 5;

/** Neighbours by entry that are not as they should be, the first few of them. */
function wrongNeighbours(
  sections: readonly Section[],
  wrong: (last: Section, next: Section) => boolean,
): [Section, Section][] {
  const ordered = byEntry(sections);
  const pairs = ordered.slice(1).map((next, i): [Section, Section] => [ordered[i] as Section, next]);
  return pairs.filter(([last, next]) => wrong(last, next)).slice(0, EXAMPLES);
}

/** Sections of which the second began before the first had ended. */
export const overlaps = (sections: readonly Section[]): [Section, Section][] =>
  wrongNeighbours(sections, (last, next) => next.entered < last.left);

/** Sections of which the second has no higher fence than the first. */
export const fallingFences = (sections: readonly Section[]): [Section, Section][] =>
  wrongNeighbours(sections, (last, next) => next.fence <= last.fence);

/** The largest number of sections that ran at the same moment. */
export function mostAtOnce(sections: readonly Section[]): number {
  const steps = sections
    .flatMap(({ entered, left }) => [
      { at: entered, by: 1 },
      { at: left, by: -1 },
    ])
    // One that ends where another begins was not there with it.
    .toSorted((a, b) => a.at - b.at || a.by - b.by);
  let most = 0;
  let running = 0;
  for (const { by } of steps) {
    running += by;
    most = Math.max(most, running);
  }
  return most;
}
