import fc from 'fast-check';
import type { PlanComponent, PriceContent } from '../../src/pricing/price-content.js';
import { customerKeyOf, namedId, type Uuid } from '../../src/kernel/ids.js';
import type { Interval } from '../../src/kernel/period.js';
import { aCharge, aComponent, aContent, freeUpTo, perUnit } from '../support/builders/billing.js';

/** Settings and catalog of the organization of a history. */
export interface Shop {
  readonly taxRate: string | null;
  readonly prorationBasis: 'second' | 'day';
  readonly plans: readonly { readonly planId: Uuid; readonly content: PriceContent }[];
  readonly addons: readonly {
    readonly addonId: Uuid;
    readonly content: PriceContent;
    readonly billingFrequency: 'one_time' | 'recurring';
    readonly invoiceWhen: 'invoice_on_attach' | 'invoice_on_subscription_end';
  }[];
}

export const CUSTOMER_IDS = ['ada', 'bob'] as const;
export const customerKeysOf = (org: Uuid): Uuid[] => CUSTOMER_IDS.map((id) => customerKeyOf(org, id));

export const METRICS = ['metric-0', 'metric-1', 'metric-2'].map((name) => ({
  name,
  metricId: namedId(name),
}));

const intervals = fc.constantFrom<(Interval | null)[]>(
  null,
  null,
  { unit: 'day', count: 10 },
  { unit: 'week', count: 1 },
);
const tiers = fc.constantFrom([perUnit('0.333')], [freeUpTo('10'), perUnit('1.00', '10')]);
const timings = {
  behavior: fc.constantFrom('prorate' as const, 'full' as const),
  resetInterval: intervals,
  invoicingInterval: intervals,
};

const fees = fc
  .record({
    timing: fc.constantFrom('in_advance' as const, 'in_arrears' as const),
    amount: fc.integer({ min: 1, max: 50_000 }).map((cents) => `${cents}e-2`),
    ...timings,
  })
  .map(aCharge);

const components = fc.record({
  ...timings,
  tiers,
  units: fc.option(fc.nat({ max: 40 }).map(String), { freq: 2 }),
});
type Component = typeof components extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function componentOf({ behavior, units, ...rest }: Component, metric: number): PlanComponent {
  const { name, metricId } = METRICS[metric]!;
  const standard = aComponent();
  return {
    ...standard,
    ...rest,
    metricId,
    metricName: name,
    metric: { ...standard.metric, eventName: name },
    prepaid: units === null ? null : { units, behavior },
  };
}

const planContents = fc
  .record({ charges: fc.array(fees, { maxLength: 2 }), metered: fc.array(components, { maxLength: 2 }) })
  .map(({ charges, metered }) =>
    aContent({
      recurringCharges: charges.map((charge, index) => ({ ...charge, name: `fee ${index}` })),
      components: metered.map(componentOf),
    }),
  );

const sale = {
  billingFrequency: fc.constantFrom('one_time' as const, 'recurring' as const),
  invoiceWhen: fc.constantFrom('invoice_on_attach' as const, 'invoice_on_subscription_end' as const),
};

const plan = (name: string) => fc.record({ planId: fc.constant(namedId(name)), content: planContents });
const addon = (name: string, content: fc.Arbitrary<PriceContent>) =>
  fc.record({ ...sale, addonId: fc.constant(namedId(name)), content });

export const shops: fc.Arbitrary<Shop> = fc.record({
  taxRate: fc.constantFrom(null, '19', '8.875'),
  prorationBasis: fc.constantFrom('second', 'second', 'day'),
  plans: fc.tuple(plan('basic'), plan('gold'), plan('rich')),
  addons: fc.tuple(
    addon(
      'support',
      fees.map((fee) => aContent({ recurringCharges: [fee] })),
    ),
    addon(
      'traffic',
      components.map((drawn) => aContent({ components: [componentOf({ ...drawn, units: null }, 2)] })),
    ),
  ),
});
