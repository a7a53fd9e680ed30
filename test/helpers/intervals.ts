import type { Section } from './lock-process.types.js';

export const byEntry = (sections: readonly Section[]): Section[] => sections.toSorted((a, b) => a.entered - b.entered);

export const byFence = (sections: readonly Section[]): Section[] => sections.toSorted((a, b) => a.fence - b.fence);

export const tokensOf = (grants: readonly { token: string }[]): string[] => grants.map(({ token }) => token);

/** Pairs of sections of which the second began before the first had ended. */
export function overlaps(sections: readonly Section[]): [Section, Section][] {
  const ordered = byEntry(sections);
  return ordered.flatMap((next, i): [Section, Section][] => {
    const last = ordered[i - 1];
    return last !== undefined && next.entered < last.left ? [[last, next]] : [];
  });
}

/** Pairs of sections of which the later one has no higher fence. */
export function fallingFences(sections: readonly Section[]): [Section, Section][] {
  const ordered = byEntry(sections);
  return ordered.flatMap((next, i): [Section, Section][] => {
    const last = ordered[i - 1];
    return last !== undefined && next.fence <= last.fence ? [[last, next]] : [];
  });
}

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
