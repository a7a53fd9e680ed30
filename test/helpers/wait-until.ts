/** Waits for a condition instead of sleeping; the bound only says when a test has failed. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  what: string,
  within = 30_000,
): Promise<void> {
  const end = performance.now() + within;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${within} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
