/**
 * A length of time: a number of milliseconds, or text with a unit such as `'30s'`, `'5 minutes'` or `'250ms'`.
 * Text without a unit is refused, since nobody can tell whether `'60'` means seconds or milliseconds.
 *
 * @publicApi
 */
export type Duration = number | string;
