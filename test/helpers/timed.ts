/** How long something took, ms, whether it resolved or rejected. */
export async function timed(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work.catch(() => undefined);
  return performance.now() - start;
}
