import { createHash } from 'node:crypto';

const LONGEST = 256;
const KEPT = 200;
const DIGEST = /~[\w-]{43}$/;
/** Bytes of a shortened name: the cut may fall up to 3 bytes short. */
const SHORTENED = { min: KEPT - 3 + 44, max: KEPT + 44 };

/**
 * Bounds the length of a name: beyond 256 bytes it keeps its first 200 and ends in `~` and its SHA-256. So does a name that
 * looks like the result of that, since it could be meant to meet the long one.
 */
export function shortName(name: string): string {
  // No UTF-16 unit takes more than 3 bytes.
  if (name.length * 3 <= LONGEST) return name;
  const size = Buffer.byteLength(name);
  if (size <= LONGEST && !looksShortened(name, size)) return name;
  const bytes = Buffer.from(name);
  const digest = createHash('sha256').update(bytes).digest('base64url');
  return `${bytes.toString('utf8', 0, cut(bytes))}~${digest}`;
}

function looksShortened(name: string, size: number): boolean {
  return size >= SHORTENED.min && size <= SHORTENED.max && DIGEST.test(name);
}

/** Largest length up to 200 that ends neither inside a character nor inside a `%XX`. */
function cut(bytes: Buffer): number {
  let end = KEPT;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  for (const start of [end - 1, end - 2]) {
    const code = bytes.toString('latin1', start, start + 3);
    if (/^%[\dA-Fa-f]{2}$/.test(code)) return start;
  }
  return end;
}
