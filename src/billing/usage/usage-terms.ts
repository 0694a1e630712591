import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Period } from '../../kernel/period.js';
import { Database } from '../../platform/database/open-database.js';
import type { RunTerm } from '../rating/run.js';
import { BillingRunLoader } from '../runs/billing-run-loader.js';

/** Loads the terms of customers in which usage of a range counts. */
@Injectable()
export class UsageTerms {
  constructor(
    private readonly database: Database,
    private readonly loader: BillingRunLoader,
  ) {}

  /**
   * Loads the terms that overlap a range, with their add-ons, and the successors of switched terms: a window with
   * transferred usage begins before its term. A term of zero length counts as overlapping, because it says which usage
   * a switch transferred.
   */
  async load(org: Uuid, customerKeys: readonly Uuid[], range: Period): Promise<RunTerm[]> {
    const { rows } = await this.database.pool.query<{
      subscription_id: Uuid;
      stream_revision: string | null;
    }>({
      name: 'usage-terms',
      text: TERMS,
      values: [org, customerKeys, range.start, range.end],
    });
    return this.loader.loadTerms(
      org,
      rows.map(({ subscription_id: subscriptionId, stream_revision: revision }) => ({
        subscriptionId,
        revision: BigInt(revision ?? 0),
      })),
    );
  }
}

const TERMS = `
with recursive term as (
  select subscription_id, start_at, state, successor, stream_revision from subscriptions
  where org = $1 and customer_key = any($2::uuid[]) and start_at <= $4 and end_at >= $3
  union
  select s.subscription_id, s.start_at, s.state, s.successor, s.stream_revision
  from term join subscriptions s on s.org = $1 and s.subscription_id = term.successor
  where term.state = 'switched'
)
select subscription_id, stream_revision from term order by start_at, subscription_id`;
