/** What a call throws; fails the test when it throws nothing. */
export function errorOf(call: () => unknown): Error & { code?: string } {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
