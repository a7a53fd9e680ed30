export interface PostEntry {
  text: string;
  /** Milliseconds of work before the entry is written. */
  takes: number;
  /** Do not hand `lease.signal` to that work. */
  careless: boolean;
}
