/** A pattern of KEYS: `*`, `?`, `[a-c]`, `[^a]` and `\` in front of what is meant literally. */
export function globToRegExp(pattern: string): RegExp {
  const parts = pattern.match(/\\[^]|\[[^\]]*\]|[^]/g) ?? [];
  return new RegExp(`^${parts.map(partToRegExp).join('')}$`, 's');
}

function partToRegExp(part: string): string {
  if (part === '*') return '.*';
  if (part === '?') return '.';
  if (part.length > 2) return part.replace(/[\\]/g, '\\\\');
  return part.slice(-1).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
