/** A parameter with everything that a path can lead through. */
export interface Order {
  id: string;
  at: Date;
  customer: { id: number; tags: string[] } | null;
  lines?: { sku: string }[];
  extra: Record<string, string>;
}
