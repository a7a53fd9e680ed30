/**
 * Names the lock of one call from its arguments. What it returns is taken as it is: build it with `lockKey`, which encodes
 * values and refuses missing ones.
 *
 * @publicApi
 */
export type KeyFunction<Args extends unknown[] = never[]> = (...args: Args) => string;
