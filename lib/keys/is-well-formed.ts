/** With the `u` flag only halves of surrogate pairs are found. */
const LONE_SURROGATE = /\p{Cs}/u;

/** True for text that UTF-8, and so Redis, can carry unchanged. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
