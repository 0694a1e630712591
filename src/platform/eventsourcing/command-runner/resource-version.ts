import { DomainError } from '../../../kernel/errors.js';

/** Revisions that a caller names in If-Match; `any`: whichever it is. */
export type WantedRevisions = ReadonlySet<string> | 'any';

/**
 * The resource that a request is about, by its stream: what the caller wants its revision to be, and what it is
 * afterwards. The runner asks where it appends, so that between the look and the append nothing gets in.
 */
export class ResourceVersion {
  #revision: bigint | undefined;

  constructor(
    private readonly stream: string,
    private readonly wanted: WantedRevisions | undefined,
  ) {}

  /** After the request has appended to the stream itself, the wish has been granted. */
  allows(stream: string, revision: bigint | undefined): boolean {
    if (stream !== this.stream || revision === undefined || this.#revision !== undefined) return true;
    return this.wanted === undefined || this.wanted === 'any' || this.wanted.has(String(revision));
  }

  /** @throws DomainError `precondition_failed` */
  require(stream: string, revision: bigint | undefined): void {
    if (this.allows(stream, revision)) return;
    throw new DomainError(
      'precondition_failed',
      'The resource is not as If-Match says: somebody changed it. Read it again.',
    );
  }

  /** Notes the revision that a command left behind. */
  note(stream: string, revision: bigint | undefined): void {
    if (stream === this.stream && revision !== undefined) this.#revision = revision;
  }

  /** Undefined as long as no command has run on it. */
  get revision(): bigint | undefined {
    return this.#revision;
  }
}
