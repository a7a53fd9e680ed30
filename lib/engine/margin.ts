/**
 * How much earlier than the server a holder takes its lease for ended: for clocks that run at different rates, and for
 * rounding.
 *
 * @param span milliseconds that were measured with both clocks
 */
export function safetyMargin(span: number): number {
  return 2 + span * 0.01;
}
