export interface Timed<T> {
  /** ms */
  readonly took: number;
  readonly value?: T;
  /** What it rejected with. */
  readonly error?: unknown;
}

/** Runs something and says how it ended and how long that took. Never rejects. */
export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const start = performance.now();
  const took = () => performance.now() - start;
  return work().then(
    (value) => ({ took: took(), value }),
    (error: unknown) => ({ took: took(), error }),
  );
}
