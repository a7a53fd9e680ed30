const LONGEST = 40;

/** A value as a message names it: in one short line, whatever it is. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return `'${shorten(value.replace(/[\p{Cc}\p{Cs}]/gu, '?'))}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  return String(value);
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}
