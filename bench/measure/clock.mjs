/**
 * Between the clock of this process, which is cheap to read, and the one that all processes of the machine share. A pause between
 * the two readings makes it smaller, hence the largest of many.
 */
const SHIFT = Math.max(...Array.from({ length: 50 }, () => Number(process.hrtime.bigint()) / 1e6 - performance.now()));

/** Milliseconds on the monotonic clock of the machine, the same for all its processes. */
export const now = () => performance.now() + SHIFT;
