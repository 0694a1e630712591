import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { FairShare } from '../concurrency/limits.js';
import { Database, inTransaction } from '../database/open-database.js';

export const RESTRICTED_STREAMS_MIGRATION = `
create table restricted_streams (
  stream text primary key,
  revision bigint not null,
  restricted_at timestamptz not null
);
comment on table restricted_streams is 'Streams of resources that were restricted: deleted, archived or taken from somebody. A use that was decided on an older revision shortly before is decided again.';
comment on column restricted_streams.stream is 'Stream of the resource.';
comment on column restricted_streams.revision is 'Revision of the stream after its last restriction.';
comment on column restricted_streams.restricted_at is 'When it was restricted (wall time).';`;

/** Limits the connections that hold a lock, as the work under the lock needs others. */
const HELD_AT_ONCE = 4;
const LONGEST_WAIT_MS = 10_000;
const MOST_WAITING = 100;
/** Interval of statements that keep a lock: PostgreSQL ends a session that is idle in a transaction for ten seconds. */
const KEEP_EVERY_MS = 3_000;

/**
 * Keeps a restriction of a resource, which requires that nothing uses it, apart from its uses, which other streams record
 * (docs/architecture.md#restrictions). Both lock the name of the resource's stream. A lock ends with its transaction, so a
 * process that dies leaves none.
 */
@Injectable()
export class StreamRestrictions {
  readonly #share = new FairShare({
    slots: HELD_AT_ONCE,
    waitMs: LONGEST_WAIT_MS,
    mostWaiting: MOST_WAITING,
    refusal:
      'Your organization changes too many resources at once. Send fewer requests at a time, or try again.',
  });

  constructor(private readonly database: Database) {}

  /**
   * Runs a command that checks that nothing uses a resource, then restricts it. Uses wait or are decided again. A command
   * without an event restricts nothing.
   */
  restrict<Outcome extends { readonly revision: bigint | undefined; readonly events: readonly object[] }>(
    org: Uuid,
    stream: string,
    command: () => Promise<Outcome>,
  ): Promise<Outcome> {
    return this.#locked(org, RESTRICT, stream, async (client) => {
      const outcome = await command();
      if (outcome.events.length > 0)
        await client.query({ ...NOTE_RESTRICTION, values: [stream, outcome.revision] });
      return outcome;
    });
  }

  /** Notes a restriction whose process may have died before it did, unless a later one of the stream is noted. */
  async note(stream: string, revision: bigint): Promise<void> {
    await this.database.pool.query({ ...NOTE_LEFT_OUT, values: [stream, revision] });
  }

  /** Runs work that reads resources and records their use, while none of them can be restricted. */
  use<Result>(org: Uuid, streams: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return streams.length === 0 ? work() : this.#locked(org, USE, streams, work);
  }

  #locked<Result>(
    org: Uuid,
    lock: { readonly name: string; readonly text: string },
    names: string | readonly string[],
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    return this.#share.run(org, new AbortController().signal, () =>
      inTransaction(this.database.pool, async (client) => {
        await client.query({ ...lock, values: [names] });
        const keeping = setInterval(() => void client.query('select 1').catch(() => {}), KEEP_EVERY_MS);
        return work(client).finally(() => clearInterval(keeping));
      }),
    );
  }
}

const RESTRICT = {
  name: 'stream-restrictions-restrict',
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
};

const USE = {
  name: 'stream-restrictions-use',
  text: 'select pg_advisory_xact_lock_shared(hashtextextended(stream, 0)) from unnest($1::text[]) as stream',
};

const NOTE_RESTRICTION = {
  name: 'stream-restrictions-note',
  text: `insert into restricted_streams (stream, revision, restricted_at) values ($1, $2, clock_timestamp())
    on conflict (stream) do update set revision = excluded.revision, restricted_at = excluded.restricted_at`,
};

const NOTE_LEFT_OUT = {
  name: 'stream-restrictions-note-left-out',
  text: `${NOTE_RESTRICTION.text} where restricted_streams.revision < excluded.revision`,
};

/** Stream that a use relies on, and the revision at which it was read. */
export interface UsedStream {
  readonly stream: string;
  readonly revision: bigint;
  /** Instant of `performance.now()` at which the read began. */
  readonly readAt: number;
}

/**
 * Returns SQL that locks a stream for a use like `use`, until the transaction ends, without waiting: false while the stream
 * is being restricted. A statement of its own that follows checks `isRestrictedSince`.
 */
export const tryUse = (stream: string): string =>
  `pg_try_advisory_xact_lock_shared(hashtextextended(${stream}, 0))`;

/**
 * Returns SQL that tells whether a stream was restricted after a revision. Restrictions from a minute before the read do
 * not count: after the restore of an older log their revisions may be still to come.
 * @param age seconds since the stream was read at that revision
 */
export const isRestrictedSince = (stream: string, revision: string, age: string): string =>
  `exists (select from restricted_streams r where r.stream = ${stream} and r.revision > ${revision}
    and r.restricted_at > now() - interval '1 minute' - make_interval(secs => ${age}))`;

/** Longest pause of a use, and pauses until it is refused: about two seconds in all. A restriction takes some milliseconds. */
const PAUSE_MS = 20;
const MOST_PAUSES = 200;

/** Pauses before a use is tried again. @throws DomainError `conflict` after the last pause */
export async function pauseWhileRestricted(attempt: number): Promise<void> {
  if (attempt >= MOST_PAUSES) {
    throw new DomainError('conflict', 'Another request is changing the resource. Try again.');
  }
  await sleep(Math.random() * PAUSE_MS);
}
