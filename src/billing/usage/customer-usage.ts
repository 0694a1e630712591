import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { readExactText, type Quantity } from '../../kernel/quantity.js';
import { LiveUsageReader } from '../../metering/live-usage-reader.js';
import { usageCharge } from '../rating/charges.js';
import { GaugeBases } from './gauge-bases.js';
import { componentQuestionOf, usagePartsOf } from './usage-parts.js';
import { UsageTerms } from './usage-terms.js';

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
    private readonly terms: UsageTerms,
    private readonly usage: LiveUsageReader,
    private readonly bases: GaugeBases,
  ) {}

  /** Measures the windows that overlap a range, by everything received so far. @param isSelected tells which metrics of which plans are measured */
  async measure(
    org: Uuid,
    customerKey: Uuid,
    range: Period,
    isSelected: (usage: { readonly metricId: Uuid; readonly planId: Uuid }) => boolean,
  ): Promise<MeasuredUsage[]> {
    const terms = await this.terms.load(org, [customerKey], range);
    const parts = usagePartsOf(terms, range, 'window').filter(
      ({ need: { metricId }, runTerm, window }) =>
        window.isCharged && isSelected({ metricId, planId: runTerm.term.basis.planId }),
    );
    const asked = parts.map((part) => componentQuestionOf(customerKey, part));
    const counts = await this.usage.countLive(org, await this.bases.continued(org, asked));
    return parts.map(({ need, runTerm, period, window }, index) => {
      const used = readExactText(counts[index]!.quantity);
      return {
        metricId: need.metricId,
        customerKey,
        planId: runTerm.term.basis.planId,
        subscriptionId: need.subscriptionId,
        owner: runTerm.addon?.addonSubscriptionId ?? need.subscriptionId,
        windowStart: period.start,
        windowEnd: period.end,
        used,
        cost: usageCharge(window.source.component, used, window, runTerm).exact,
        currency: runTerm.term.basis.currency,
      };
    });
  }
}
