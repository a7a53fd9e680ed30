/** Milliseconds on the monotonic clock of the machine, the same for all its processes. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;
