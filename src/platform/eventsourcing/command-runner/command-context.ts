import type { DomainEvent, RecordedEvent, EventMetadata } from '../../../kernel/event.js';
import { type Uuid, derivedId } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import { DomainError } from '../../../kernel/errors.js';
import type { ClaimsToTake } from '../claims/claim.js';
import type { Clock } from '../../clock/clock.js';

/** A stream as far as it was read, folded into its state. */
export interface FoldedStream<State, Event extends DomainEvent> {
  readonly state: State;
  readonly last: RecordedEvent<Event> | undefined;
  /** Ids of the commands whose events are in the part of the stream that was read. */
  readonly commandIds: ReadonlySet<Uuid>;
  /** Until then the stream has events that were not read, as a later one carries them; undefined: it was read whole. */
  readonly unreadUntil?: Instant | undefined;
  /** Characters of the events that it was folded from: about what it holds, and more where they replace one another. */
  readonly size: number;
}

type AnyStream = FoldedStream<unknown, DomainEvent>;

/**
 * Holds the time of one command and every stream that it has loaded, for its steps and for the policies that follow its
 * events: the clock is asked once, and each stream is read once. Appends keep the loaded streams up to date, as long as
 * all writes of the command are made with its session.
 */
export class CommandSession {
  #now: Promise<Instant> | undefined;
  readonly #streams = new Map<string, Promise<AnyStream>>();
  readonly #loaded = new Map<string, AnyStream>();

  now(ask: () => Promise<Instant>): Promise<Instant> {
    return (this.#now ??= ask());
  }

  /** Returns the stream as it was loaded before, or as the command's own append left it; else loads it. */
  load(stream: string, load: () => Promise<AnyStream>): Promise<AnyStream> {
    const known = this.#streams.get(stream);
    if (known) return known;
    const loading = load();
    this.#streams.set(stream, loading);
    loading.then(
      (loaded) => this.#streams.get(stream) === loading && this.#loaded.set(stream, loaded),
      () => this.forget(stream),
    );
    return loading;
  }

  /** Undefined while the command has not loaded the stream. */
  loaded(stream: string): AnyStream | undefined {
    return this.#loaded.get(stream);
  }

  /** Keeps a stream as the command's own append left it. */
  keep(stream: string, appended: AnyStream): void {
    this.#streams.set(stream, Promise.resolve(appended));
    this.#loaded.set(stream, appended);
  }

  /** Reads the stream again the next time, as others have written to it. */
  forget(stream: string): void {
    this.#streams.delete(stream);
    this.#loaded.delete(stream);
  }

  /** Begins again with the present: what was read is out of date. */
  restart(): void {
    this.#now = undefined;
    this.#streams.clear();
    this.#loaded.clear();
  }
}

/** An organization; in a command its context, so that a stream that the command has loaded is not read again. */
export type ReadScope = Uuid | { readonly org: Uuid; readonly session?: CommandSession | undefined };

export const orgOf = (scope: ReadScope): Uuid => (typeof scope === 'string' ? scope : scope.org);

export const sessionOf = (scope: ReadScope): CommandSession | undefined =>
  typeof scope === 'string' ? undefined : scope.session;

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

/** Caller, tenant and id of a command; every id a command creates derives from `commandId`. */
export interface CommandContext {
  readonly org: Uuid;
  readonly commandId: Uuid;
  /** Ties the request, its events and what follows from them together; it is the `X-Request-Id` of the answer. */
  readonly correlationId: string;
  /** The event this command follows from. */
  readonly causationId?: Uuid;
  /** When that happened, or fell due. */
  readonly causedAt?: Instant;
  /** Key id of the caller, or `system`. */
  readonly actor: string;
  /** When a repeated request came first (Idempotency-Key): its now, so that the repeat decides the same. */
  readonly receivedAt?: Instant;
  /** The command id was made for this very request: no event of another one can carry it or an id derived from it. */
  readonly isFirstDelivery?: boolean;
  /**
   * The command begins its stream, right after the event that it follows from: it is decided on an empty stream without a
   * read, and the append refuses it where the stream is there. Nothing that follows may depend on the time of its events:
   * a store can answer a repeat, whose events have the first one's time, like the first.
   */
  readonly beginsStream?: boolean;
  /** Taken by the append of a new command, or the command conflicts; never by its repeat (`Claims.goWithAppends`). */
  readonly claims?: ClaimsToTake;
  /** Shares the time and the loaded streams with whatever else the command does, and with what follows its events. */
  readonly session?: CommandSession | undefined;
  /** The resource that the request is about, where it has versions (If-Match). */
  readonly resource?: ResourceVersion;
}

/**
 * Returns the context of a policy's command. It is the same whoever runs the policy, so that running it twice is running
 * it once. @param session of the command that appended the event, where the policy follows at once
 */
export function followingContext(
  event: RecordedEvent,
  role: string,
  session?: CommandSession,
): CommandContext {
  return {
    org: event.metadata.org,
    commandId: derivedId(event.id, role),
    correlationId: event.metadata.correlationId,
    causationId: event.id,
    causedAt: event.metadata.recordedAt,
    actor: event.metadata.actor,
    ...(session ? { session } : {}),
  };
}

/** Returns the time at which a command is decided; the clock is asked once in a session. */
export function commandTime({ org, receivedAt, session }: CommandContext, clock: Clock): Promise<Instant> {
  if (receivedAt) return Promise.resolve(receivedAt);
  return session ? session.now(() => clock.now(org)) : clock.now(org);
}

/** Returns the id that an event of a command gets: a repeat of the command gives it the same one. */
export const eventIdOf = ({ commandId }: CommandContext, stream: string, index: number): Uuid =>
  derivedId(commandId, `${stream}#${index}`);

/** A part of a command that writes to another stream, or a second time to the same one. */
export const withRole = (context: CommandContext, role: string): CommandContext => ({
  ...context,
  commandId: derivedId(context.commandId, role),
});

const SCHEMA_VERSION = 1;

export function metadataOf(context: CommandContext, recordedAt: Instant): EventMetadata {
  return {
    org: context.org,
    commandId: context.commandId,
    correlationId: context.correlationId,
    ...(context.causationId ? { causationId: context.causationId } : {}),
    actor: context.actor,
    recordedAt,
    schemaVersion: SCHEMA_VERSION,
  };
}
