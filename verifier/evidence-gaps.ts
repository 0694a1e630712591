/** Number of events or batches, and the name of the first. */
export interface Tally {
  count: number;
  first: string | undefined;
}

/** Gaps of the evidence; nothing contradicts it. */
export interface Gaps {
  /** Events and batches without a proof, as later ones have none. */
  readonly unproven: Tally;
  /** Events that are missing between others of their streams. */
  readonly missing: Tally;
}

export const noGaps = (): Gaps => ({
  unproven: { count: 0, first: undefined },
  missing: { count: 0, first: undefined },
});

export function addTo(tally: Tally, { count, first }: Tally): void {
  tally.count += count;
  tally.first ??= first;
}
