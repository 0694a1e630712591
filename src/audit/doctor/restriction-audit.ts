import { Inject, Injectable } from '@nestjs/common';
import { restricts } from '../../catalog/domain/restrictions.js';
import type { Instant } from '../../kernel/instant.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore, streamsOf } from '../../platform/eventsourcing/store/event-store.js';
import { lastingDifferences } from './lasting-differences.js';

/** Limit of named streams. */
const NAMED = 100;

/** Last restriction of a stream, as its events say. */
interface Restriction {
  readonly revision: bigint;
  readonly recordedAt: Instant;
}

interface RestrictedRow {
  readonly stream: string;
  readonly revision: string;
  readonly is_ahead: boolean;
}

/** Compares the table of restricted streams with the events that restrict (docs/architecture.md#restrictions). */
@Injectable()
export class RestrictionAudit {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Returns sentences for an auditor. A difference counts when it still exists after a while. */
  differences(patienceMs?: number): Promise<string[]> {
    return lastingDifferences(() => this.compare(), patienceMs);
  }

  private async compare(): Promise<string[]> {
    const recorded = await this.recorded();
    const { rows } = await this.database.pool.query<RestrictedRow>(NOTED);
    const since = (await this.database.pool.query<{ since: Instant | null }>(EXPECTED_SINCE)).rows[0]?.since;
    const noted = new Set(rows.map(({ stream }) => stream));
    const missing = [...recorded].flatMap(([stream, { revision, recordedAt }]) => {
      const isExpected = !noted.has(stream) && (!since || recordedAt >= since);
      return isExpected
        ? [
            `${stream} was restricted at revision ${revision}, and restricted_streams has no row of it: the row was deleted, or a process died a moment ago and a policy will write it. If it stays missing, insert stream, revision ${revision} and '-infinity'.`,
          ]
        : [];
    });
    const differing = rows.flatMap((row) => this.differencesOf(row, recorded.get(row.stream)));
    return [...missing, ...differing].slice(0, NAMED);
  }

  private differencesOf(
    { stream, revision, is_ahead: isAhead }: RestrictedRow,
    expected?: Restriction,
  ): string[] {
    if (!expected) return [`${stream} is in restricted_streams, and no event restricts it: delete the row.`];
    const isOther = BigInt(revision) !== expected.revision;
    return [
      ...(isOther
        ? [`${stream} has revision ${revision} in restricted_streams, and ${expected.revision} in the log.`]
        : []),
      ...(isAhead ? [`${stream} is in restricted_streams with a time that is still to come.`] : []),
    ];
  }

  private async recorded(): Promise<ReadonlyMap<string, Restriction>> {
    const found = new Map<string, Restriction>();
    for (const category of ['plan', 'metric'] as const) {
      for await (const stream of streamsOf(this.store, category)) {
        for await (const { revision, metadata, ...event } of this.store.readStream(stream)) {
          if (restricts(event)) found.set(stream, { revision, recordedAt: metadata.recordedAt });
        }
      }
    }
    return found;
  }
}

const NOTED = `
  select stream, revision, restricted_at > now() + interval '1 minute' as is_ahead
  from restricted_streams order by stream`;

/** Selects when an upgrade made the table, which has no earlier restrictions; null if the database began with it. */
const EXPECTED_SINCE = `
  select case when made.applied_at > (select min(applied_at) from schema_migrations) + interval '1 minute'
    then made.applied_at end as since
  from schema_migrations made where made.name = 'restricted-streams'`;
