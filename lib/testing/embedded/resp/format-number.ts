/** As C prints a double with `%.17g`, save that the shortest text is used which reads back as the same number. */
export function formatDouble(value: number): string {
  if (value === Infinity) return 'inf';
  if (value === -Infinity) return '-inf';
  if (Number.isNaN(value)) return 'nan';
  if (Object.is(value, -0)) return '-0';
  if (Number.isInteger(value) && Math.abs(value) < 1e17) return BigInt(value).toString();
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Whole numbers beyond 2^53, which JavaScript would round for the eye. */
export function formatInteger(value: number | bigint): string {
  return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString();
}
