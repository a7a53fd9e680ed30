/** @returns undefined for what has none, such as an object without a prototype */
export function classNameOf(value: unknown): string | undefined {
  return (value as { constructor?: { name?: string } } | null | undefined)?.constructor?.name;
}
