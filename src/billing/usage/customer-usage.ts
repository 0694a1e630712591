import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { readExactText, type Quantity } from '../../kernel/quantity.js';
import { UsageReader } from '../../metering/usage-reader.js';
import { Database } from '../../platform/database/open-database.js';
import { usageCharge } from '../rating/charges.js';
import { BillingRunLoader } from '../runs/billing-run-loader.js';
import { usagePartsOf } from './usage-parts.js';

/** Usage of a billing window, with its cost as billing prices it. */
export interface MeasuredUsage {
  readonly metricId: Uuid;
  readonly customerKey: Uuid;
  readonly planId: Uuid;
  readonly subscriptionId: Uuid;
  /** The subscription, or the add-on on it. */
  readonly owner: Uuid;
  readonly windowStart: Instant;
  readonly windowEnd: Instant;
  readonly used: Quantity;
  /** Exact cost in major units, before adjustments and tax. */
  readonly cost: Quantity;
  readonly currency: string;
}

/** Counts and prices a customer's usage by the windows and prices of billing. */
@Injectable()
export class CustomerUsage {
  constructor(
    private readonly database: Database,
    private readonly loader: BillingRunLoader,
    private readonly usage: UsageReader,
  ) {}

  /** Finds terms that overlap a range. Ends are included: a term of zero length says what a switch transferred. */
  async termsOf(org: Uuid, customerKey: Uuid, range: Period): Promise<Uuid[]> {
    const { rows } = await this.database.pool.query<{ subscription_id: Uuid }>({
      name: 'usage-terms',
      text: `select subscription_id from subscriptions
        where org = $1 and customer_key = $2 and start_at <= $4 and end_at >= $3 order by start_at, subscription_id`,
      values: [org, customerKey, range.start, range.end],
    });
    return rows.map((row) => row.subscription_id);
  }

  /** Measures the windows that overlap a range, by everything received so far. @param wanted which metrics of which plans */
  async measure(
    org: Uuid,
    customerKey: Uuid,
    range: Period,
    wanted: (usage: { readonly metricId: Uuid; readonly planId: Uuid }) => boolean,
  ): Promise<MeasuredUsage[]> {
    const terms = await this.loader.loadTerms(org, await this.termsOf(org, customerKey, range));
    const parts = usagePartsOf(terms, range, 'window').filter(
      ({ need: { metricId }, runTerm, window }) =>
        window.isCharged && wanted({ metricId, planId: runTerm.term.basis.planId }),
    );
    const counts = await this.usage.countLive(
      org,
      parts.map(({ need: { definition, filters, window, basis } }) => ({
        ...{ customerKey, definition, filters, window },
        ...(basis && { basis }),
      })),
    );
    return parts.map(({ need, runTerm, period, window }, place) => {
      const used = readExactText(counts[place]!.quantity);
      return {
        metricId: need.metricId,
        customerKey,
        planId: runTerm.term.basis.planId,
        subscriptionId: need.subscriptionId,
        owner: runTerm.addon?.addonSubscriptionId ?? need.subscriptionId,
        windowStart: period.start,
        windowEnd: period.end,
        used,
        cost: usageCharge(window.source.component, used, period, runTerm).exact,
        currency: runTerm.term.basis.currency,
      };
    });
  }
}
