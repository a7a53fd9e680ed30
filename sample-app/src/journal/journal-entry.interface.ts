/** One line of the journal. */
export interface JournalEntry {
  /** Milliseconds on a clock that all processes of one machine share. */
  at: number;
  pid: number;
  /** What is guarded, such as `order:42`. */
  section: string;
  event: string;
  /** Which pass through the section in this process. */
  pass?: number;
  /** Fencing token of the lease; `null` where there is none. */
  fence?: number | null;
  /** Number the client gave its request, in the order of sending. */
  arrival?: number | null;
  [detail: string]: unknown;
}
