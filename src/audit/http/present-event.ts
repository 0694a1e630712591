import type { RecordedEvent } from '../../kernel/event.js';
import { formatInstant, type Instant } from '../../kernel/instant.js';

/** Fields of event data with times, in order of preference: the time of effect first. */
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
 * Presents an event to an auditor: `data` is the stored data with internal ids and names. `position` is the revision in
 * its stream; a position in the whole log would tell how much other organizations write.
 */
export function presentRecordedEvent({ stream, revision, type, data, metadata }: RecordedEvent) {
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

/** Event without its data, with the name of its actor's key. */
export type EventBy = Omit<ReturnType<typeof presentRecordedEvent>, 'data'> & {
  readonly actor_name: string | null;
  readonly request_id: string;
};

/**
 * Presents events to an auditor with the names of their actors.
 * @param actors names by id
 */
export const presenterBy =
  (actors: ReadonlyMap<string, string>) =>
  (event: RecordedEvent): EventBy => {
    const { data: _, ...shown } = presentRecordedEvent(event);
    const { actor, correlationId } = event.metadata;
    return { ...shown, actor_name: actors.get(actor) ?? null, request_id: correlationId };
  };
