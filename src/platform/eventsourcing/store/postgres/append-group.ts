import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { isStatementError } from '../../../database/statements.js';
import type { ClaimsToTake } from '../../claims/claim.js';
import {
  type SerializedEvent,
  AppendOutcomeUnknown,
  type AppendResult,
  type ExpectedRevision,
  RevisionConflict,
} from '../event-store.js';
import { positionOf } from './stream-reads.js';
import { asStoreError, messageOf, wasRolledBack } from './errors.js';
import { APPEND_CLAIMING_GROUP, APPEND_GROUP, FIND_REPEATS } from './statements.js';

/** One append waiting for its turn. */
export interface PendingAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerializedEvent[];
  /** For this stream; when one of them is another's, the append is refused like a conflict. */
  readonly claims?: ClaimsToTake | undefined;
}

/** The outcome of one append: its result, or the error it is rejected with. */
export type AppendOutcome = AppendResult | Error;

/**
 * Appends a group, at most one member per stream, in one transaction; outcomes in the order of the members.
 * A conflict is an outcome of its member only. When the statement fails, each member is tried alone once, so that the
 * one at fault does not take the others with it.
 */
export async function appendGroup(pool: Pool, group: readonly PendingAppend[]): Promise<AppendOutcome[]> {
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

/** @throws what the database said, when nothing was committed */
async function appendTogether(pool: Pool, group: readonly PendingAppend[]): Promise<AppendOutcome[]> {
  const client = await pool.connect();
  // A lost connection is told to the query and, a second time, as an event that nobody else listens to.
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
    return group.map(() => new AppendOutcomeUnknown(`the append was not answered: ${messageOf(error)}`));
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
  group.flatMap(({ stream: owner, claims: wanted }, member) =>
    (wanted?.claims ?? []).map(({ kind, key }) => ({
      place: member + 1,
      org: wanted!.org,
      kind,
      key,
      owner,
    })),
  );

const listOf = (texts: readonly string[]): string => `[${texts.join()}]`;

/**
 * A refused member whose own events stand where it wanted them was appended before: it gets the answer of that time.
 * Looked up after the commit, as what is stored does not change any more and others wait for the lock.
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
  const standing = new Map(rows.map((row) => [`${row.revision} ${row.stream}`, row]));
  return refused.map((append) => {
    const at = (i: number) => standing.get(`${firstRevision(append) + BigInt(i)} ${append.stream}`);
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
