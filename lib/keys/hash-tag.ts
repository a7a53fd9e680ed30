/**
 * Part of a key that Redis Cluster hashes instead of the whole: what stands between the first `{` and the first `}` behind
 * it, unless that is nothing.
 *
 * @returns positions of both braces; undefined when the whole key is hashed
 */
export function findHashTag(key: string): { open: number; close: number } | undefined {
  const open = key.indexOf('{');
  if (open < 0) return undefined;
  const close = key.indexOf('}', open);
  return close > open + 1 ? { open, close } : undefined;
}

/**
 * A brace that belongs to no tag, or the beginning of what such a brace becomes. Its lower case keeps a brace in the text of
 * a name apart from one in an encoded value, which is `%7B`.
 */
const LOOSE_BRACE = /[{}]|%(?=(?:25)*7[bd])/g;
const ENCODED: Record<string, string> = { '{': '%7b', '}': '%7d', '%': '%25' };

/** Encodes the braces that form no hash tag. Different names stay different. */
export function encodeLooseBraces(name: string): string {
  if (!/[{}%]/.test(name)) return name;
  const tag = findHashTag(name);
  if (!tag) return encode(name);
  const { open, close } = tag;
  return encode(name.slice(0, open)) + name.slice(open, close + 1) + encode(name.slice(close + 1));
}

function encode(text: string): string {
  return text.replace(LOOSE_BRACE, (found) => ENCODED[found] as string);
}
