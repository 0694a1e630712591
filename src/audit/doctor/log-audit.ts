import { formatPosition, type RecordedEvent, categoryOf, entityOf, orgOfStream } from '../../kernel/event.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { UnreadableEvent } from '../../platform/eventsourcing/store/unreadable-event.js';
import type { Instant } from '../../kernel/instant.js';

/** Limit of sentences; the rest is counted. */
const MAX_NAMED = 100;
/** Number of newest events that are kept as causes, to compare their followers with them. */
const MAX_CAUSES = 50_000;

/** End of a stream as far as it was read. */
interface StreamEnd {
  revision: bigint;
  commandId: Uuid;
  /** Index of the last event among the events of its command. */
  index: number;
  actor: string;
  correlationId: string;
  recordedAt: Instant;
}

type Cause = Pick<StreamEnd, 'actor' | 'correlationId'>;

/**
 * Checks what every event of the log has in common: the revisions of a stream have no gap, the id of an event
 * derives from its command, stream and index, a command has one actor, and time goes forward in a stream. It
 * holds a few numbers per stream.
 */
export class LogAudit {
  readonly #streams = new Map<string, StreamEnd>();
  readonly #causes = new Map<Uuid, Cause>();
  /** Organization and actor, with the event where the actor first occurs. */
  readonly actors = new Map<string, { readonly org: Uuid; readonly actor: string; readonly at: string }>();
  /** Highest watermark of the counts of each organization. */
  readonly watermarks = new Map<Uuid, bigint>();
  readonly #named: string[] = [];
  readonly #gaps: string[] = [];
  #count = 0;

  /** Adds the next event of the whole log. */
  add(event: RecordedEvent): void {
    try {
      this.#add(event);
    } catch (error) {
      this.addUnreadable(new UnreadableEvent(event, error));
    }
  }

  /** Adds an event of which nothing but its place is known. */
  addUnreadable({ message, event }: UnreadableEvent): void {
    this.#found(message);
    const end = this.#streams.get(event.stream);
    if (end) end.revision = event.revision;
  }

  #add(event: RecordedEvent): void {
    const { id, stream, revision, position, metadata } = event;
    const { org, commandId, actor, correlationId, causationId, recordedAt } = metadata;
    const name = `event ${revision} of ${stream}`;
    const end = this.#streams.get(stream);
    const next = (end?.revision ?? -1n) + 1n;
    if (revision < next) this.#found(`${name}: revision ${next} was expected there`);
    if (revision > next && this.#gaps.length < MAX_NAMED) {
      this.#gaps.push(`${name}: revision ${next} was expected there`);
    }
    const index = end?.commandId === commandId ? end.index + 1 : 0;
    if (id !== derivedId(commandId, `${stream}#${index}`)) {
      this.#found(`${name}: its id is not the one that its command gives it`);
    }
    const subject = subjectOf(event);
    if (subject !== undefined && subject !== entityOf(stream)) {
      this.#found(`${name} tells of another subject than its stream: ${subject}`);
    }
    if (org !== orgOfStream(stream)) this.#found(`${name} is recorded under another organization`);
    if (end && recordedAt < end.recordedAt) {
      this.#found(`${name} was recorded at ${recordedAt}, the event before it at ${end.recordedAt}`);
    }
    if (index > 0 && (actor !== end!.actor || correlationId !== end!.correlationId)) {
      this.#found(`${name} has another actor or request than the event before it of the same command`);
    }
    const cause = causationId && this.#causes.get(causationId);
    if (cause && (cause.actor !== actor || cause.correlationId !== correlationId)) {
      this.#found(`${name} has another actor or request than the event it follows from`);
    }
    this.#remember(id, { actor, correlationId });
    const known = `${org} ${actor}`;
    if (!this.actors.has(known)) {
      this.actors.set(known, { org, actor, at: `${name} at ${formatPosition(position)}` });
    }
    if (event.type === 'UsagePeriodClosed') this.#watermark(org, event.data);
    if (end) Object.assign(end, { revision, commandId, index, actor, correlationId, recordedAt });
    else this.#streams.set(stream, { revision, commandId, index, actor, correlationId, recordedAt });
  }

  /**
   * Returns sentences for an auditor; none when nothing is wrong.
   * @param isShared tells whether others write to the log too: their events are omitted and leave gaps in
   *   streams
   */
  faults({ isShared }: { readonly isShared: boolean }): string[] {
    const more = this.#count - this.#named.length;
    const named = [...(isShared ? [] : this.#gaps), ...this.#named];
    return more > 0 ? [...named, `${more} more events are wrong`] : named;
  }

  #found(fault: string): void {
    this.#count += 1;
    if (this.#named.length < MAX_NAMED) this.#named.push(fault);
  }

  #watermark(org: Uuid, data: object): void {
    const { sealedUpTo } = data as { readonly sealedUpTo: string };
    const watermark = BigInt(sealedUpTo);
    if (watermark > (this.watermarks.get(org) ?? 0n)) this.watermarks.set(org, watermark);
  }

  /** Followers come soon after their cause, so the newest events are enough. */
  #remember(id: Uuid, cause: Cause): void {
    this.#causes.set(id, cause);
    if (this.#causes.size <= MAX_CAUSES) return;
    for (const oldest of this.#causes.keys()) {
      this.#causes.delete(oldest);
      break;
    }
  }
}

/** Fields of event data that give the stream of a category its name. */
const SUBJECT_FIELDS: Readonly<Record<string, string>> = {
  plan: 'planId',
  addon: 'addonId',
  metric: 'metricId',
  feature: 'featureId',
  customer: 'customerKey',
  subscription: 'subscriptionId',
  document: 'invoiceId',
};

/** Returns the entity that the data of an event names; undefined without one. */
function subjectOf({ stream, data }: RecordedEvent): string | undefined {
  const named = data as Record<string, string | undefined> & { readonly term?: { subscriptionId: string } };
  const category = categoryOf(stream);
  if (category === 'account') {
    const { customerKey, currency } = named;
    return customerKey && currency && `${customerKey}.${currency}`;
  }
  const field = SUBJECT_FIELDS[category];
  if (field === undefined) return undefined;
  return named[field] ?? (category === 'subscription' ? named.term?.subscriptionId : undefined);
}
