import { Injectable } from '@nestjs/common';
import { COUNT_AUDITED, DIFFERING } from './count-sql.js';
import type { UsageCount } from './domain/counter.js';
import { AlteredEventCollector, type StoredUsageEvent } from './stored-event.js';
import { UsageReader, statementFor, valuesOf, type CountRequest, type CountRow } from './usage-reader.js';

interface AuditedRow extends CountRow {
  /** Events whose row does not give their body hash as PostgreSQL computes it. */
  readonly differing: string;
}

/**
 * Counts as the reader does, and believes no body hash: that of every counted event is computed again from its row, in
 * the statement that counts, and where it differs there, here.
 */
@Injectable()
export class UsageAuditor extends UsageReader {
  protected override readonly counting = COUNT_AUDITED;

  protected override async examine(
    row: CountRow,
    request: CountRequest,
  ): Promise<Pick<UsageCount, 'altered'>> {
    const mostRows = Number((row as AuditedRow).differing);
    if (mostRows === 0) return {};
    const found = new AlteredEventCollector();
    await this.reads.ascending<StoredUsageEvent>(
      { org: request.org, ...statementFor([request], DIFFERING), values: valuesOf([request]), mostRows },
      (event) => found.look(event),
    );
    return found.count > 0 ? { altered: found.altered() } : {};
  }
}
