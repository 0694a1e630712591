import { SnapshotTooShallow, type Decider, type IssuedCommand } from '../../../kernel/decider.js';
import type {
  DomainEvent,
  EventMetadata,
  Position,
  RecordedEvent,
  StreamCategory,
} from '../../../kernel/event.js';
import { type Uuid, derivedId } from '../../../kernel/ids.js';
import { latest, type Instant } from '../../../kernel/instant.js';
import { DomainError } from '../../../kernel/errors.js';
import type { ClaimsToTake } from '../claims/claim.js';
import type { Clock } from '../../clock/clock.js';
import { type EventStore, type FoldedState, foldStream } from '../store/event-store.js';

/** A decider with the category of its streams. */
export interface StreamDecider<State, Command, Event extends DomainEvent> extends Decider<
  State,
  Command,
  Event
> {
  readonly category: StreamCategory;
  /** Type of the snapshot event, if the stream has snapshots: the stream is read backwards, up to the last snapshot. */
  readonly snapshotEventType?: Event['type'];
  /** Folds the whole stream, for a command about facts that the snapshot no longer contains. */
  readonly fullHistory?: Pick<Decider<State, Command, Event>, 'initial' | 'evolve'>;
}

export interface Decision<State, Event extends DomainEvent> {
  readonly events: readonly Event[];
  /** State that the command was decided on. */
  readonly state: State;
  /** Rules that folded the state. */
  readonly rules: Pick<Decider<State, unknown, Event>, 'initial' | 'evolve'>;
}

/**
 * Decides a command on a folded stream. Where its snapshot is too shallow for the command, it folds the full history up
 * to the same revision and decides on that.
 * @throws DomainError when the command is refused; StoreUnavailable
 */
export async function decide<State, Command, Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  decider: StreamDecider<State, Command, Event>,
  command: IssuedCommand<Command>,
  { state, revision }: FoldedState<State>,
): Promise<Decision<State, Event>> {
  try {
    return { state, rules: decider, events: decider.decide(command, state) };
  } catch (error) {
    const rules = decider.fullHistory;
    if (!(error instanceof SnapshotTooShallow) || !rules) throw error;
    const full = await foldStream(store, stream, rules, revision);
    return { state: full.state, rules, events: decider.decide(command, full.state) };
  }
}

/** Last event of a folded stream, without its data: thousands of streams are kept. */
export interface LastEvent extends Pick<RecordedEvent, 'revision' | 'position'> {
  readonly recordedAt: Instant;
}

/** State of a stream, and facts about the events that it was folded from. */
export interface FoldedStream<State> {
  readonly state: State;
  readonly last: LastEvent | undefined;
  /** Ids of the commands that appended the events. */
  readonly commandIds: ReadonlySet<Uuid>;
  /** Recording time of the snapshot event that the fold began with; undefined if it began with the first event. */
  readonly unreadUntil?: Instant | undefined;
  /** Characters of the events: an estimate of the size of the state. */
  readonly size: number;
}

type AnyStream = FoldedStream<unknown>;

/** Time that the process of a command has to run policies before `PolicyWorker` runs them, in any process. */
export const POLICY_GRACE_MS = 5_000;

/**
 * Holds the time of one command and every stream that it has loaded, for its steps and for the policies that handle its
 * events. The clock is asked once and each stream is read once. Appends with the session keep the loaded streams up to
 * date, so every write of the command must use it. Streams that it loads later are as new as its start or its last write.
 */
export class CommandSession {
  readonly #begunAt = performance.now();
  #readsSince = performance.now();
  #now: Promise<Instant> | undefined;
  readonly #streams = new Map<string, Promise<AnyStream>>();
  readonly #loaded = new Map<string, AnyStream>();

  now(ask: () => Promise<Instant>): Promise<Instant> {
    return (this.#now ??= ask());
  }

  /** True once `PolicyWorker` may run the policies of the command too. */
  get isSlow(): boolean {
    return performance.now() - this.#begunAt >= POLICY_GRACE_MS;
  }

  /** Instant of `performance.now()` from which on everything that was appended has to be in a loaded stream. */
  get readsSince(): number {
    return this.#readsSince;
  }

  /** Returns the loaded stream with the command's own appends, or loads it. */
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

  /** Returns undefined for a stream that the command has not loaded. */
  loaded(stream: string): AnyStream | undefined {
    return this.#loaded.get(stream);
  }

  /** Replaces a loaded stream after the command's own append. */
  keep(stream: string, appended: AnyStream): void {
    this.#readsSince = performance.now();
    this.#streams.set(stream, Promise.resolve(appended));
    this.#loaded.set(stream, appended);
  }

  /** Forgets a stream that others have written to: the next load reads it again. */
  forget(stream: string): void {
    this.#readsSince = performance.now();
    this.#streams.delete(stream);
    this.#loaded.delete(stream);
  }

  /** Forgets the time and all streams. */
  restart(): void {
    this.#now = undefined;
    this.#readsSince = performance.now();
    this.#streams.clear();
    this.#loaded.clear();
  }
}

/** Organization to read for. A command passes its context, so that streams of its session are not read again. */
export type ReadScope = Uuid | { readonly org: Uuid; readonly session?: CommandSession | undefined };

export const orgOfScope = (scope: ReadScope): Uuid => (typeof scope === 'string' ? scope : scope.org);

export const sessionOf = (scope: ReadScope): CommandSession | undefined =>
  typeof scope === 'string' ? undefined : scope.session;

/** Revisions that If-Match names; `any` for `If-Match: *`. */
export type ExpectedRevisions = ReadonlySet<string> | 'any';

/**
 * Revision of the resource that a request addresses: the expected one before (If-Match), the current one afterwards. The
 * runner checks the loaded revision that its append expects, so no other change can come between check and append.
 */
export class ResourceVersion {
  #revision: bigint | undefined;

  constructor(
    private readonly stream: string,
    private readonly expected: ExpectedRevisions | undefined,
  ) {}

  /** Always true after the request's own first append to the stream. */
  allows(stream: string, revision: bigint | undefined): boolean {
    if (stream !== this.stream || revision === undefined || this.#revision !== undefined) return true;
    return this.expected === undefined || this.expected === 'any' || this.expected.has(String(revision));
  }

  /** @throws DomainError `precondition_failed` */
  require(stream: string, revision: bigint | undefined): void {
    if (this.allows(stream, revision)) return;
    throw new DomainError(
      'precondition_failed',
      'The resource has changed since the revision in If-Match. Read it again and send its new ETag.',
    );
  }

  /** Notes the revision after a command. */
  note(stream: string, revision: bigint | undefined): void {
    if (stream === this.stream && revision !== undefined) this.#revision = revision;
  }

  /** Undefined until a command has run on the resource. */
  get revision(): bigint | undefined {
    return this.#revision;
  }
}

/** Caller, tenant and id of a command; every id a command creates derives from `commandId`. */
export interface CommandContext {
  readonly org: Uuid;
  readonly commandId: Uuid;
  /** Connects a request with its events and the events of policies; the `X-Request-Id` of the answer. */
  readonly correlationId: string;
  /** Event that caused the command. */
  readonly causationId?: Uuid;
  /** Position of that event, or of the last one of its append. */
  readonly causationPosition?: Position;
  /** Time of the cause: when the event was recorded, or when scheduled work fell due. */
  readonly causedAt?: Instant;
  /** Key id of the caller, or `system`. */
  readonly actor: string;
  /** Time of the first request with this Idempotency-Key. A repeat is decided at this time, so it decides the same. */
  readonly receivedAt?: Instant;
  /** True if the command id was made for this request: no stored event can carry it or an id derived from it. */
  readonly isFirstDelivery?: boolean;
  /**
   * True if the command begins its stream right after the event that caused it: the stream is not read, and the append
   * conflicts if it exists. Policies may not depend on the time of its events, as a stored repeat may have an earlier one.
   */
  readonly beginsStream?: boolean;
  /** True for a policy without a session, as `PolicyWorker` runs it: the process of the cause may run it at the same time. */
  readonly isWorkers?: boolean;
  /** Claims that the append of a first delivery takes, or conflicts (`Claims.goWithAppends`). */
  readonly claims?: ClaimsToTake;
  /** Instant of `performance.now()` after which no append begins, as others may have what the command has reserved. */
  readonly appendUntil?: number | undefined;
  /** Shared by all steps of the command and the policies of its events. */
  readonly session?: CommandSession | undefined;
  /** The versioned resource that the request addresses (If-Match). */
  readonly resource?: ResourceVersion;
  /** Aborts when the client disconnects. It ends previews only: a command runs to its end. */
  readonly disconnected?: AbortSignal;
}

/**
 * Returns the context of a policy's command. The command id derives from the event, so a policy that runs twice repeats
 * its command. @param session of the command that appended the event; absent when `PolicyWorker` handles it
 */
export function policyContext(event: RecordedEvent, role: string, session?: CommandSession): CommandContext {
  return {
    org: event.metadata.org,
    commandId: derivedId(event.id, role),
    correlationId: event.metadata.correlationId,
    causationId: event.id,
    causationPosition: event.position,
    causedAt: event.metadata.recordedAt,
    actor: event.metadata.actor,
    ...(session ? { session } : { isWorkers: true }),
  };
}

/**
 * Returns the time at which a command is decided; the clock is asked once in a session. It is never before the cause, which
 * is later than the session where another change of its stream came in between.
 */
export async function commandTime(
  { org, receivedAt, causedAt, session }: CommandContext,
  clock: Clock,
): Promise<Instant> {
  const time = receivedAt ?? (await (session ? session.now(() => clock.now(org)) : clock.now(org)));
  return causedAt ? latest(time, causedAt) : time;
}

/** Returns the context of a command that is decided at an instant or later; undefined for any time. */
export function decidedFrom(instant: Instant | undefined, context: CommandContext): CommandContext {
  if (instant === undefined) return context;
  const { causedAt = instant } = context;
  return { ...context, causedAt: latest(causedAt, instant) };
}

/** Returns the context of a command that a process runs when it starts, such as an import of older rows. */
export const startContext = (org: Uuid, commandId: Uuid): CommandContext => ({
  org,
  commandId,
  correlationId: 'start',
  actor: 'system',
});

/** Returns the id of an event of a command; the events of a repeated command get equal ids. */
export const eventIdOf = ({ commandId }: CommandContext, stream: string, index: number): Uuid =>
  derivedId(commandId, `${stream}#${index}`);

/** Returns the context of a second append of a command: to another stream, or again to the first one. */
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
