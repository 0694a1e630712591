import { Injectable } from '@nestjs/common';
import { AUDIT_USAGE_SQL, DIFFERING_EVENTS_SQL } from './count-sql.js';
import type { UsageCount } from './domain/counter.js';
import { Database } from '../platform/database/open-database.js';
import { RequestedCounts } from './requested-counts.js';
import { AlteredEventCollector, type StoredUsageEvent } from './stored-event.js';
import {
  UsageReader,
  statementFor,
  countParameters,
  type CountRequest,
  type CountRow,
} from './usage-reader.js';

interface AuditedRow extends CountRow {
  /** Selects events whose body hash differs from the one that PostgreSQL computes. */
  readonly differing: string;
}

/**
 * Counts like `UsageReader`, and also recomputes the body hash of every counted event from its row: first in
 * PostgreSQL, then here for the events that differ there.
 */
@Injectable()
export class UsageAuditor extends UsageReader {
  protected override readonly counting = AUDIT_USAGE_SQL;

  /** Gives counts for requests a share of their own. */
  constructor(database: Database) {
    super(database, new RequestedCounts(database));
  }

  protected override async examine(
    row: CountRow,
    request: CountRequest,
  ): Promise<Pick<UsageCount, 'altered'>> {
    const mostRows = Number((row as AuditedRow).differing);
    if (mostRows === 0) return {};
    const found = new AlteredEventCollector();
    await this.reads.ascending<StoredUsageEvent>(
      {
        org: request.org,
        ...statementFor([request], DIFFERING_EVENTS_SQL),
        values: countParameters([request]),
        mostRows,
      },
      (event) => found.look(event),
    );
    return found.count > 0 ? { altered: found.altered() } : {};
  }
}
