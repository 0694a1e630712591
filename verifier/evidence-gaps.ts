/** Number of events or batches, and the name of the first. */
export interface GapCount {
  count: number;
  first: string | undefined;
}

/** Gaps of the evidence; nothing contradicts it. */
export interface EvidenceGaps {
  /** Events and batches without a proof, as later ones have none. */
  readonly unproven: GapCount;
  /** Events that are missing between others of their streams. */
  readonly missing: GapCount;
}

export const withoutGaps = (): EvidenceGaps => ({
  unproven: { count: 0, first: undefined },
  missing: { count: 0, first: undefined },
});

export function addGaps(total: GapCount, { count, first }: GapCount): void {
  total.count += count;
  total.first ??= first;
}
