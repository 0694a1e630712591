import fc from 'fast-check';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { DAY, HOUR, plusMicros, toMicros } from '../../src/kernel/instant.js';
import type { Instant } from '../../src/kernel/instant.js';
import type { PriceContent } from '../../src/pricing/price-content.js';
import type { CancelTerms, SwitchTerms } from '../../src/subscription/domain/events.js';
import { components, contents, histories, type History } from './billing-arbitraries.js';
import type { AddonOnSale } from '../support/engine/engine-terms.js';
import type { RenewedAs } from './subscription-model.js';

/** An act at an instant. `term` and other indexes are taken modulo the number of items there are. */
export type Act = { readonly at: Instant; readonly term: number } & (
  | { readonly kind: 'run' | 'pay' }
  | { readonly kind: 'cancel'; readonly terms: CancelTerms }
  /** Moves the end by a number of days, or with null leaves it; turns off the renewal or leaves it on. */
  | { readonly kind: 'change-end'; readonly days: number | null; readonly turnOffAutoRenew: boolean }
  | {
      readonly kind: 'units';
      readonly units: string;
      readonly metricId: string;
      readonly invoiceNow: boolean;
    }
  | { readonly kind: 'attach'; readonly addon: number; readonly quantity: number }
  | { readonly kind: 'cancel-addon'; readonly addon: number; readonly terms: CancelTerms }
  | { readonly kind: 'switch'; readonly plan: number; readonly terms: SwitchTerms }
  | { readonly kind: 'void'; readonly invoice: number }
  /** Grants a credit; `days` is the number of days after which it expires. */
  | { readonly kind: 'grant'; readonly cents: number; readonly days: number | null }
  /** Sends usage now that happened a number of hours ago. */
  | { readonly kind: 'use'; readonly hoursAgo: number; readonly n: string; readonly metricId: string }
);

type Unplaced = DistributiveOmit<Act, 'at'> & { readonly share: number; readonly micros: number };
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export interface CommandHistory extends Pick<History, 'terms' | 'usage' | 'taxRate'> {
  readonly addons: readonly AddonOnSale[];
  /** Renewals of each term, in order; after the last one the term renews no more. */
  readonly renewals: readonly (readonly RenewedAs[])[];
  /** Plans that a term can be switched or renewed to. */
  readonly plans: readonly PriceContent[];
  /** Acts in the order of their instants, which all differ. */
  readonly acts: readonly Act[];
}

export const cancelTerms: fc.Arbitrary<CancelTerms> = fc.record({
  flatFee: fc.constantFrom(null, 'refund', 'charge_prorated', 'charge_full'),
  usage: fc.constantFrom('bill_full', 'bill_full', 'bill_none'),
  invoicing: fc.constantFrom('invoice_now', 'add_to_next_invoice'),
});

export const switchTerms: fc.Arbitrary<SwitchTerms> = fc.record({
  usage: fc.constantFrom('transfer_to_new_subscription', 'keep_separate'),
  invoicing: fc.constantFrom('invoice_now', 'add_to_next_invoice'),
});

const metricId = fc.constantFrom('metric-0', 'metric-1', 'metric-2');
const n = fc.integer({ min: 0, max: 400 }).map((tenths) => `${tenths}e-1`);

/** Time of an act in thousandths of the first term: mostly inside it, sometimes before or after it. */
const when = {
  share: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 1_000 }) },
    { weight: 4, arbitrary: fc.integer({ min: -300, max: 4_000 }) },
  ),
  micros: fc.nat({ max: 3_600_000_000 }),
  term: fc.nat({ max: 2 }),
};
const of = <K extends string>(kind: K) => fc.constant(kind);

const acts: fc.Arbitrary<Unplaced> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...when, kind: fc.constantFrom('run' as const, 'pay' as const) }) },
  { weight: 2, arbitrary: fc.record({ ...when, kind: of('cancel'), terms: cancelTerms }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...when,
      kind: of('change-end'),
      days: fc.option(fc.integer({ min: 0, max: 90 }), { freq: 4 }),
      turnOffAutoRenew: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...when,
      kind: of('units'),
      units: fc.integer({ min: 0, max: 60 }).map(String),
      metricId,
      invoiceNow: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...when,
      kind: of('attach'),
      addon: fc.nat({ max: 1 }),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...when,
      kind: of('cancel-addon'),
      addon: fc.nat({ max: 1 }),
      terms: cancelTerms,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ ...when, kind: of('switch'), plan: fc.nat({ max: 2 }), terms: switchTerms }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...when,
      kind: of('grant'),
      cents: fc.integer({ min: 1, max: 20_000 }),
      days: fc.option(fc.integer({ min: 1, max: 60 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ...when, kind: of('void'), invoice: fc.nat({ max: 5 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ ...when, kind: of('use'), hoursAgo: fc.nat({ max: 29 * 24 }), n, metricId }),
  },
);

const addons: fc.Arbitrary<AddonOnSale[]> = fc
  .array(
    fc.record({
      content: contents,
      component: fc.option(components),
      billingFrequency: fc.constantFrom('one_time' as const, 'recurring' as const),
      invoiceWhen: fc.constantFrom('invoice_on_attach' as const, 'invoice_on_subscription_end' as const),
    }),
    { minLength: 2, maxLength: 2 },
  )
  .map((list) =>
    list.map(({ content, component, ...rest }, place) => ({
      ...rest,
      name: `add-on ${place}`,
      content: {
        ...content,
        priceAdjustment: null,
        // Two components of a subscription may not share a metric.
        components: component && place === 0 ? [{ ...component, prepaid: null, metricId: 'metric-2' }] : [],
      },
    })),
  );

/** Returns the term as one that was started with the plan's prepaid units. */
const withUnits = (runTerm: RunTerm): RunTerm => {
  const prepaidUnits = runTerm.content.components.flatMap(({ metricId: id, prepaid }) =>
    prepaid ? [{ metricId: id, units: prepaid.units! }] : [],
  );
  return prepaidUnits.length > 0 ? { ...runTerm, term: { ...runTerm.term, prepaidUnits } } : runTerm;
};

/**
 * Renewals with another plan, zone or proration basis: the customer's zone and the organization's setting can
 * change during a term.
 */
const renewedAs: fc.Arbitrary<RenewedAs> = fc.record({
  plan: fc.option(fc.nat({ max: 2 }), { freq: 2 }),
  zone: fc.option(
    fc.constantFrom(
      'UTC',
      'America/Los_Angeles',
      'Australia/Lord_Howe',
      'Pacific/Kiritimati',
      'Pacific/Niue',
    ),
    { freq: 3 },
  ),
  prorationBasis: fc.option(fc.constantFrom('second' as const, 'day' as const), { freq: 2 }),
});

export const commandHistories: fc.Arbitrary<CommandHistory> = fc
  .record({
    history: histories,
    addons,
    plans: fc.array(contents, { minLength: 3, maxLength: 3 }),
    renewals: fc.array(fc.array(renewedAs, { maxLength: 3 }), { minLength: 3, maxLength: 3 }),
    acts: fc.array(acts, { maxLength: 25, size: '+1' }),
  })
  .map(({ history: { terms, usage, taxRate }, addons: onSale, plans, renewals, acts: list }) => ({
    terms: terms.map(withUnits),
    usage,
    taxRate,
    renewals,
    addons: onSale,
    plans: plans.map((plan, place) => atPricesOf(plan, terms[place % terms.length]!)),
    acts: atDifferentInstants(withoutLost(list).map((act) => placed(act, terms))),
  }));

/** Gives the first fee the price that it has on the plan before, so that its parts sum to that price. */
function atPricesOf(plan: PriceContent, { content }: RunTerm): PriceContent {
  const [fee, ...others] = plan.recurringCharges;
  const same = content.recurringCharges[0];
  if (!fee || !same || fee.timing === 'in_arrears') return plan;
  const { amount, resetInterval } = same;
  return { ...plan, recurringCharges: [{ ...fee, amount, resetInterval }, ...others] };
}

function placed({ share, micros, ...act }: Unplaced, terms: readonly RunTerm[]): Act {
  const { start, end } = terms[act.term % terms.length]!.term;
  const length = toMicros(end) - toMicros(start);
  return { ...act, at: plusMicros(start, (length * BigInt(share)) / 1000n + BigInt(micros)) } as Act;
}

/**
 * Drops late usage when a command has `bill_none`, which leaves open usage unbilled. Late usage of an
 * invoiced part is open until its window is closed: whether it is billed depends on when it was received,
 * which the oracle does not know.
 */
function withoutLost(acts: readonly Unplaced[]): readonly Unplaced[] {
  const billsNone = acts.some((act) => 'terms' in act && act.terms.usage === 'bill_none');
  return billsNone ? acts.filter(({ kind }) => kind !== 'use') : acts;
}

const atDifferentInstants = (acts: readonly Act[]): Act[] =>
  [...new Map(acts.map((act) => [act.at, act])).values()].sort((a, b) => (a.at < b.at ? -1 : 1));

export const hoursBefore = (at: Instant, hours: number): Instant => plusMicros(at, -BigInt(hours) * HOUR);
export const daysAfter = (at: Instant, days: number): Instant => plusMicros(at, BigInt(days) * DAY);
