import { PRICING_POLICY } from '../../../src/pricing/pricing-policy.js';
import type { RunData, RunSettings, RunTerm } from '../../../src/billing/rating/run.js';
import { initialAccount } from '../../../src/billing/accounts/domain/account-state.js';
import type { Tier } from '../../../src/pricing/tiers.js';
import type { PlanComponent, PriceContent, RecurringCharge } from '../../../src/pricing/price-content.js';
import { contentHash } from '../../../src/kernel/canonical-json.js';
import { namedId, type Uuid } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import { anchorOf, nextBoundary } from '../../../src/kernel/period.js';
import type { Interval } from '../../../src/kernel/period.js';
import type { Term } from '../../../src/subscription/domain/events.js';
import { aCounter } from './metering.js';

export const ORG = namedId('an organization');
export const CUSTOMER = namedId('a customer');

export const MONTH: Interval = { unit: 'month', count: 1 };
export const WEEK: Interval = { unit: 'week', count: 1 };
export const DAY: Interval = { unit: 'day', count: 1 };
export const YEAR: Interval = { unit: 'year', count: 1 };

/** A fee of 30.00 in advance, prorated. */
export const aCharge = (changes: Partial<RecurringCharge> = {}): RecurringCharge => ({
  name: 'fee',
  timing: 'in_advance',
  behavior: 'prorate',
  amount: '30.00',
  invoicingInterval: null,
  resetInterval: null,
  ...changes,
});

export const perUnit = (cost: string, rangeStart = '0', rangeEnd: string | null = null): Tier => ({
  type: 'per_unit',
  rangeStart,
  rangeEnd,
  costPerBatch: cost,
  unitsPerBatch: '1',
  rounding: null,
});

export const freeUpTo = (rangeEnd: string): Tier => ({
  type: 'free',
  rangeStart: '0',
  rangeEnd,
  costPerBatch: null,
  unitsPerBatch: null,
  rounding: null,
});

export const COUNTER = aCounter({ eventName: 'call', aggregation: 'sum', propertyName: 'n' });

/** A component of calls at 1.00 each. */
export function aComponent(changes: Partial<PlanComponent> = {}): PlanComponent {
  const metricName = changes.metricName ?? 'calls';
  return {
    metricId: namedId(`metric ${metricName}`),
    metricName,
    metric: COUNTER,
    metricHash: contentHash(COUNTER),
    tiers: [perUnit('1.00')],
    volume: false,
    invoicingInterval: null,
    resetInterval: null,
    prepaid: null,
    ...changes,
  };
}

export const aContent = (changes: Partial<PriceContent> = {}): PriceContent => ({
  currency: 'USD',
  recurringCharges: [],
  components: [],
  priceAdjustment: null,
  ...changes,
});

export interface TermChanges {
  readonly name?: string;
  readonly start?: string;
  readonly end?: string;
  readonly zone?: string;
  readonly duration?: Interval;
  readonly dayAnchor?: number;
  readonly monthAnchor?: number;
  readonly prorationBasis?: 'second' | 'day';
  readonly customerKey?: Uuid;
  readonly renewal?: boolean;
  readonly endedBy?: RunTerm['endedBy'];
  readonly revision?: string;
}

/** A monthly term of January 2026 in UTC, on a plan with this content. */
export function aTerm(content: PriceContent, changes: TermChanges = {}): RunTerm {
  const { name = 'a subscription', zone = 'UTC', duration = MONTH } = changes;
  const start = instant(changes.start ?? '2026-01-01');
  const anchor = anchorOf(start, zone, duration, changes.dayAnchor ?? null, changes.monthAnchor ?? null);
  const hash = contentHash(content);
  const term: Term = {
    subscriptionId: namedId(name),
    customerKey: changes.customerKey ?? CUSTOMER,
    start,
    end: changes.end ? instant(changes.end) : nextBoundary(start, zone, duration, anchor),
    scheduledEnd: changes.end === undefined,
    autoRenew: true,
    isNew: true,
    filters: [],
    metadata: {},
    basis: {
      planId: namedId('a plan'),
      versionId: namedId('a version'),
      contentHash: hash,
      currency: content.currency,
      zone,
      anchor,
      duration,
      prorationBasis: changes.prorationBasis ?? 'second',
      policy: PRICING_POLICY,
    },
  };
  return {
    term,
    renewal: changes.renewal ?? false,
    endedBy: changes.endedBy ?? null,
    revision: changes.revision ?? '0',
    content,
    contentHash: hash,
    planRevision: '1',
    planName: 'Basic',
    versionNumber: 1,
  };
}

export const NO_TAX: RunSettings = { taxRate: null, paymentGraceDays: null, lateEventGraceMinutes: 30 };

/** The input of a billing run over these terms, on an account without history. */
export function aRun(terms: readonly RunTerm[], asOf: string, changes: Partial<RunData> = {}): RunData {
  const runId = namedId(`run ${asOf}`);
  return {
    org: ORG,
    runId,
    invoiceId: namedId(`invoice ${asOf}`),
    asOf: instant(asOf),
    customerKey: terms[0]?.term.customerKey ?? CUSTOMER,
    currency: terms[0]?.content.currency ?? 'USD',
    organization: { settings: NO_TAX, revision: '0' },
    customer: { taxRate: null, revision: '0' },
    account: initialAccount(),
    terms,
    policy: PRICING_POLICY,
    ...changes,
  };
}
