/** Version of the bundle format (docs/evidence-bundle.md). */
export const FORMAT_VERSION = 3;
/** Version of a bundle with personal data. Verifiers that do not know its files refuse it. */
export const PERSONAL_DATA_VERSION = 4;

/** Part with the evidence that invoices of several customers share. */
export const SHARED_PART = 0;

/** Kinds of files of each part. */
export type PartFile = 'events' | 'usage' | 'invoices' | 'proofs' | 'personal-data';

/** Name of a file of a part. */
export const nameInPart = (kind: PartFile, part: number): string =>
  `${kind}/${String(part).padStart(4, '0')}.jsonl`;

/** Entry of a file in the manifest. */
export interface FileSummary {
  readonly bytes: number;
  readonly lines?: number;
  readonly sha256: string;
}
