import type { RecordedEvent } from '../../kernel/event.js';
import { formatInstant, type Instant } from '../../kernel/instant.js';

/** The times that events of the log carry, the one that says when they take effect first. */
interface Timed {
  readonly effectiveAt?: Instant;
  readonly term?: { readonly start: Instant };
  readonly asOf?: Instant;
  readonly window?: { readonly end: Instant };
  readonly issuedAt?: Instant;
  readonly paidAt?: Instant;
  readonly voidedAt?: Instant;
}

/**
 * An event for an auditor: `data` is what the log holds, with the ids and names the engine uses inside. `position` is
 * its revision in the stream of the term, the account or the settings: a place in the whole log counts what others write.
 */
export function presentEvent({ stream, revision, type, data, metadata }: RecordedEvent) {
  const { effectiveAt, term, asOf, window, issuedAt, paidAt, voidedAt } = data as Timed;
  const effective = effectiveAt ?? term?.start ?? asOf ?? window?.end ?? issuedAt ?? paidAt ?? voidedAt;
  return {
    position: `${stream.slice(0, stream.indexOf('-'))}/${revision}`,
    type,
    effective_at: formatInstant(effective ?? metadata.recordedAt),
    recorded_at: formatInstant(metadata.recordedAt),
    actor: metadata.actor,
    data,
  };
}
