import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import type { RecordedEvent } from '../../../../kernel/event.js';
import {
  AppendOutcomeUnknown,
  bytesOf,
  type AppendResult,
  type ExpectedRevision,
  RevisionConflict,
  type SerializedEvent,
  StoreUnavailable,
  parseData,
} from '../event-store.js';
import { inBackground } from '../../../concurrency/long-work.js';
import { isStatementError } from '../../../database/open-database.js';
import { sqlState } from '../../../database/sql-state.js';
import type { ClaimsToTake } from '../../claims/claim.js';
import { positionOf } from './stream-reads.js';
import { APPEND_CLAIMING_GROUP, APPEND_GROUP, FIND_REPEATS } from './statements.js';

/** Limits of a group, so that its statement has a few megabytes at most. */
const MAX_MEMBERS = 256;
const MAX_BYTES = 4 * 1024 * 1024;

interface WaitingAppend extends PendingAppend {
  readonly settle: (outcome: AppendOutcome) => void;
}

/**
 * Coalesces concurrent appends into groups. Appends that come during a commit share the next one. A single append is
 * committed at once.
 */
export class GroupCommit {
  #waiting: WaitingAppend[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly pool: Pool,
    /** Called after every commit that stored events. */
    private readonly onCommit: (stored: () => readonly RecordedEvent[]) => void,
  ) {}

  append(append: PendingAppend): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closed());
      const settle = (outcome: AppendOutcome): void =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome);
      this.#waiting.push({ settle, ...append });
      // A commit has appends of requests and of background work alike.
      this.#running ??= inBackground(() => this.#run());
    });
  }

  /** Rejects waiting appends, and waits for the commit under way. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const append of this.#waiting.splice(0)) append.settle(closed());
    await this.#running;
  }

  async #run(): Promise<void> {
    do {
      // Appends of the same turn of the event loop share the group.
      await new Promise(setImmediate);
      if (this.#waiting.length > 0) await this.#commit(this.#nextGroup());
    } while (this.#waiting.length > 0);
    this.#running = undefined;
  }

  async #commit(group: readonly WaitingAppend[]): Promise<void> {
    const outcomes = await appendGroup(this.pool, group);
    group.forEach((append, i) => append.settle(outcomes[i]!));
    if (outcomes.some((outcome) => !(outcome instanceof Error)))
      this.onCommit(() => storedOf(group, outcomes));
  }

  /** Takes appends in order of arrival. A second append to a stream or for a claim waits, as it depends on the first. */
  #nextGroup(): WaitingAppend[] {
    const taken = new Set<string>();
    const group: WaitingAppend[] = [];
    const later: WaitingAppend[] = [];
    let bytes = 0;
    for (const append of this.#waiting) {
      const size = bytesOf(append.events);
      const fits = group.length === 0 || (group.length < MAX_MEMBERS && bytes + size <= MAX_BYTES);
      const names = [append.stream, ...claimNames(append)];
      if (fits && !names.some((name) => taken.has(name))) {
        bytes += size;
        group.push(append);
      } else {
        later.push(append);
      }
      for (const name of names) taken.add(name);
    }
    this.#waiting = later;
    return group;
  }
}

/** Returns the events that a group added to the log, in order and without repeats. */
const storedOf = (group: readonly PendingAppend[], outcomes: readonly AppendOutcome[]): RecordedEvent[] =>
  group
    .flatMap(({ stream, events }, index) => {
      const outcome = outcomes[index]!;
      if (outcome instanceof Error || outcome.isRepeat) return [];
      return events.map(({ id, type, data, metadata }, i): RecordedEvent => {
        const before = BigInt(events.length - 1 - i);
        const commit = outcome.position.commit - before;
        return {
          id,
          stream,
          revision: outcome.revision - before,
          position: { commit, prepare: commit },
          type,
          data: parseData(data),
          metadata: JSON.parse(metadata) as RecordedEvent['metadata'],
        };
      });
    })
    .sort((a, b) => (a.position.commit < b.position.commit ? -1 : 1));

const claimNames = ({ claims: request }: PendingAppend): string[] =>
  (request?.claims ?? []).map(({ kind, key }) => `${request!.org}/${kind}/${key}`);

const closed = (): StoreUnavailable => new StoreUnavailable('The event store is closed.');

/** An append that waits for a group. */
export interface PendingAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerializedEvent[];
  /** Claims for the stream; a claim of another stream is a conflict. */
  readonly claims?: ClaimsToTake | undefined;
}

/** Outcome of an append: its result, or the error of its rejection. */
type AppendOutcome = AppendResult | Error;

/**
 * Appends a group, at most one member per stream, in one transaction. Returns outcomes in the order of the members; a
 * conflict concerns its member only. If the statement fails, each member is appended alone, so that one bad member does
 * not fail the others.
 */
async function appendGroup(pool: Pool, group: readonly PendingAppend[]): Promise<AppendOutcome[]> {
  try {
    return await appendTogether(pool, group);
  } catch (error) {
    if (!isStatementError(error) || group.length === 1) return group.map(() => asStoreError(error));
  }
  const outcomes: AppendOutcome[] = [];
  for (const member of group) {
    outcomes.push(...(await appendTogether(pool, [member]).catch((error: unknown) => [asStoreError(error)])));
  }
  return outcomes;
}

/** Appends a group with one statement. @throws the error of the database if nothing was committed */
async function appendTogether(pool: Pool, group: readonly PendingAppend[]): Promise<AppendOutcome[]> {
  const client = await pool.connect();
  // A lost connection fails the query and emits an error event, which would end the process without a listener.
  client.on('error', ignore);
  const release = (broken?: Error): void => {
    client.off('error', ignore);
    client.release(broken);
  };
  const outcomes = new Map<string, AppendOutcome>();
  try {
    for (const row of await insertMembers(client, group)) {
      outcomes.set(row.stream, resultOf(row, false));
    }
  } catch (error) {
    release(isStatementError(error) ? undefined : (error as Error));
    if (wasRolledBack(error)) throw error;
    return group.map(() => new AppendOutcomeUnknown(`The append has no answer: ${messageOf(error)}`));
  }
  release();
  const refused = group.filter((member) => !outcomes.has(member.stream));
  for (const [member, outcome] of await explainRefusals(pool, refused)) outcomes.set(member.stream, outcome);
  return group.map((member) => outcomes.get(member.stream)!);
}

const ignore = (): void => {};

type LastRow = { stream: string; revision: string; position: string };

const resultOf = ({ revision, position }: LastRow, isRepeat: boolean): AppendResult => ({
  revision: BigInt(revision),
  position: positionOf(position),
  isRepeat,
});

async function insertMembers(client: PoolClient, group: readonly PendingAppend[]): Promise<LastRow[]> {
  const events = group.flatMap((append, member) =>
    append.events.map((event, i) => ({
      event,
      member: member + 1,
      stream: append.stream,
      revision: firstRevision(append) + BigInt(i),
    })),
  );
  const values: unknown[] = [
    group.map(({ stream }) => stream),
    group.map((append) => firstRevision(append) - 1n),
    events.map(({ member }) => member),
    events.map(({ stream }) => stream),
    events.map(({ revision }) => revision),
    events.map(({ event }) => event.id),
    events.map(({ event }) => event.type),
    listOf(events.map(({ event }) => event.data)),
    listOf(events.map(({ event }) => event.metadata)),
  ];
  const claims = claimsOf(group);
  if (claims.length === 0) return rowsOf<LastRow>(client, { values, ...APPEND_GROUP });
  values[1] = JSON.stringify(group.map((append) => String(firstRevision(append) - 1n)));
  return rowsOf<LastRow>(client, { values: [...values, JSON.stringify(claims)], ...APPEND_CLAIMING_GROUP });
}

const claimsOf = (group: readonly PendingAppend[]): object[] =>
  group.flatMap(({ stream: owner, claims: request }, member) =>
    (request?.claims ?? []).map(({ kind, key }) => ({
      member: member + 1,
      org: request!.org,
      kind,
      key,
      owner,
    })),
  );

const listOf = (texts: readonly string[]): string => `[${texts.join()}]`;

/**
 * Explains the refusals of a group. A member whose events are stored at the expected revisions is a repeat and gets its
 * first answer; every other one is a conflict. The lookup comes after the commit, so that others need not wait for the lock.
 */
async function explainRefusals(
  pool: Pool,
  refused: readonly PendingAppend[],
): Promise<[PendingAppend, AppendOutcome][]> {
  if (refused.length === 0) return [];
  const first = refused.map(firstRevision);
  const last = refused.map((append) => firstRevision(append) + BigInt(append.events.length) - 1n);
  const query = { values: [refused.map(({ stream }) => stream), first, last], ...FIND_REPEATS };
  let rows: { stream: string; revision: string; id: string; position: string }[];
  try {
    rows = await rowsOf(pool, query);
  } catch (error) {
    return refused.map((append) => [append, asStoreError(error)]);
  }
  const existing = new Map(rows.map((row) => [`${row.revision} ${row.stream}`, row]));
  return refused.map((append) => {
    const at = (i: number) => existing.get(`${firstRevision(append) + BigInt(i)} ${append.stream}`);
    const isRepeat = append.events.every((event, i) => at(i)?.id === event.id);
    if (!isRepeat) return [append, new RevisionConflict(append.stream, append.expected)];
    return [append, resultOf(at(append.events.length - 1)!, true)];
  });
}

const firstRevision = ({ expected }: PendingAppend): bigint =>
  expected === 'no_stream' ? 0n : expected + 1n;

const rowsOf = async <Row extends QueryResultRow>(
  on: Pool | PoolClient,
  query: QueryConfig,
): Promise<Row[]> => (await on.query<Row>(query)).rows;

/**
 * Errors after which the commit may have happened: of the connection, also as a pooler reports that its server is gone, a
 * completion that the server does not know, and a shutdown.
 */
const OUTCOME_UNKNOWN = /^(08...|40003|57P..)$/;

/** Returns whether the transaction surely failed. After a lost connection, which has no code, it may have succeeded. */
function wasRolledBack(error: unknown): boolean {
  const code = sqlState(error);
  return code !== undefined && !OUTCOME_UNKNOWN.test(code);
}

/** Returns the error of a statement unchanged, and StoreUnavailable for every other error. */
export function asStoreError(error: unknown): Error {
  if (error instanceof Error && (isStatementError(error) || error instanceof StoreUnavailable)) return error;
  return new StoreUnavailable(`The event store does not answer: ${messageOf(error)}`, { cause: error });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
