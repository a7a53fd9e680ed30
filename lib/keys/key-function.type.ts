/**
 * Names the lock of one call from its arguments, or several locks that are held together. What it returns is taken as it is:
 * build it with `lockKey`, which encodes values and refuses missing ones.
 *
 * @publicApi
 */
export type KeyFunction<
  Args extends unknown[] = never[],
  Names extends string | readonly string[] = string | readonly string[],
> = (...args: Args) => Names;
