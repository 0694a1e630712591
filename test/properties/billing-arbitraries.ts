import fc from 'fast-check';
import type { RunTerm } from '../../src/billing/rating/run.js';
import type { PlanComponent, PriceContent, RecurringCharge } from '../../src/pricing/price-content.js';
import { DAY, instant, plusMicros, toMicros } from '../../src/kernel/instant.js';
import type { Instant } from '../../src/kernel/instant.js';
import type { Interval } from '../../src/kernel/period.js';
import { aCharge, aComponent, aContent, aTerm, freeUpTo, perUnit } from '../support/builders/billing.js';
import type { Used } from '../support/pure-account.js';

/** Subscriptions of one account with their usage, and the instants of its billing runs. */
export interface History {
  readonly terms: readonly RunTerm[];
  readonly usage: readonly Used[];
  readonly runs: readonly Instant[];
  readonly taxRate: string | null;
}

/** Instant by which everything is billed and settled. */
export const AT_LAST = instant('2030-01-01');

const someIntervals: fc.Arbitrary<Interval | null> = fc.option(
  fc.constantFrom<Interval>(
    { unit: 'day', count: 3 },
    { unit: 'day', count: 10 },
    { unit: 'week', count: 1 },
    { unit: 'week', count: 2 },
    { unit: 'month', count: 1 },
    { unit: 'month', count: 2 },
  ),
);

const cents = (max: number) => fc.integer({ min: 0, max }).map((n) => `${n}e-2`);

const charges: fc.Arbitrary<RecurringCharge> = fc
  .record({
    timing: fc.constantFrom('in_advance' as const, 'in_arrears' as const),
    behavior: fc.constantFrom('prorate' as const, 'full' as const),
    amount: cents(50_000),
    resetInterval: someIntervals,
    invoicingInterval: someIntervals,
  })
  .map(aCharge);

const TIERS = [
  [perUnit('0.333')],
  [freeUpTo('10'), perUnit('1.00', '10')],
  [freeUpTo('5'), perUnit('0.05', '5', '50'), perUnit('0.015', '50')],
];

export const components: fc.Arbitrary<PlanComponent> = fc
  .record({
    tiers: fc.constantFrom(...TIERS),
    volume: fc.boolean(),
    resetInterval: someIntervals,
    invoicingInterval: someIntervals,
    prepaid: fc.option(
      fc.record({ units: fc.constantFrom('0', '7', '30'), behavior: fc.constantFrom('prorate', 'full') }),
      { freq: 4 },
    ),
  })
  .map((changes) => aComponent(changes as Partial<PlanComponent>));

const adjustments = fc.option(
  fc.record({
    name: fc.constant('adjustment'),
    description: fc.constant(null),
    type: fc.constantFrom('percentage' as const, 'fixed' as const, 'price_override' as const),
    amount: fc.integer({ min: -100, max: 100 }).map(String),
  }),
);

export const contents: fc.Arbitrary<PriceContent> = fc
  .record({
    recurringCharges: fc.array(charges, { maxLength: 2 }),
    components: fc.array(components, { maxLength: 2 }),
    priceAdjustment: adjustments,
    currency: fc.constant('USD'),
  })
  .map((content) => ({
    ...content,
    components: content.components.map((component, n) => ({ ...component, metricId: `metric-${n}` })),
    // A negative override would be a negative price.
    priceAdjustment:
      content.priceAdjustment?.type === 'price_override' && content.priceAdjustment.amount.startsWith('-')
        ? null
        : content.priceAdjustment,
  }))
  .map(aContent);

const starts = fc
  .integer({ min: 0, max: 200 * 24 })
  .map((hours) => plusMicros(instant('2025-11-01'), BigInt(hours) * 3_600_000_000n));

const terms: fc.Arbitrary<RunTerm> = fc
  .record({
    content: contents,
    start: starts,
    zone: fc.constantFrom('UTC', 'Europe/Warsaw', 'America/Havana', 'Australia/Lord_Howe'),
    duration: fc.constantFrom<Interval>({ unit: 'month', count: 1 }, { unit: 'month', count: 3 }),
    dayAnchor: fc.option(fc.constantFrom(1, 15, 29, 31)),
    days: fc.option(fc.integer({ min: 1, max: 120 })),
    prorationBasis: fc.constantFrom('second' as const, 'day' as const),
    renewal: fc.boolean(),
  })
  .map(({ content, start, days, dayAnchor, ...rest }) =>
    aTerm(content, {
      ...rest,
      start,
      ...(dayAnchor === null ? {} : { dayAnchor }),
      ...(days === null ? {} : { end: plusMicros(start, BigInt(days) * DAY) }),
    }),
  );

const within = (from: Instant, to: Instant): fc.Arbitrary<Instant> =>
  fc.bigInt({ min: 0n, max: toMicros(to) - toMicros(from) }).map((micros) => plusMicros(from, micros));

const SPAN = [instant('2025-11-01'), instant('2026-10-01')] as const;

export const histories: fc.Arbitrary<History> = fc.record({
  terms: fc.array(terms, { minLength: 1, maxLength: 3 }).map((list) =>
    list.map((runTerm, n) => ({
      ...runTerm,
      term: { ...runTerm.term, subscriptionId: `subscription-${n}` },
    })),
  ),
  usage: fc.array(
    fc.record({
      at: within(...SPAN),
      n: fc.integer({ min: 0, max: 400 }).map((tenths) => `${tenths}e-1`),
      metricId: fc.constantFrom('metric-0', 'metric-1'),
    }),
    { maxLength: 40 },
  ),
  runs: fc.uniqueArray(within(...SPAN), { maxLength: 8 }).map((list) => [...list.sort(), AT_LAST]),
  taxRate: fc.option(fc.constantFrom('0', '19', '8.875')),
});
