/** Version of the format of bundles (docs/evidence-bundle.md). */
export const FORMAT_VERSION = 2;

/** The part with what invoices of several customers follow from. */
export const SHARED_PART = 0;

/** Kinds of files that are there for each part. */
export type PartFile = 'events' | 'usage' | 'invoices' | 'proofs';

/** The name of a part's file. */
export const nameInPart = (kind: PartFile, part: number): string =>
  `${kind}/${String(part).padStart(4, '0')}.jsonl`;

/** A file as the manifest states it. */
export interface FileSummary {
  readonly bytes: number;
  readonly lines?: number;
  readonly sha256: string;
}
