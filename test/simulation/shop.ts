import type { PlanComponent, PriceContent } from '../../src/pricing/price-content.js';
import { customerKeyOf, namedId, type Uuid } from '../../src/kernel/ids.js';
import type { Interval } from '../../src/kernel/period.js';
import { aCharge, aComponent, aContent, freeUpTo, perUnit } from '../support/builders/billing.js';
import type { Random } from './turns.js';

/** What a seed's organization sells, and to whom. */
export interface Shop {
  readonly taxRate: string | null;
  readonly prorationBasis: 'second' | 'day';
  readonly customers: readonly Uuid[];
  /** Their owner's words for them, in the same order. */
  readonly customerIds: readonly string[];
  readonly plans: readonly { readonly planId: Uuid; readonly content: PriceContent }[];
  readonly addons: readonly {
    readonly addonId: Uuid;
    readonly content: PriceContent;
    readonly billingFrequency: 'one_time' | 'recurring';
    readonly invoiceWhen: 'invoice_on_attach' | 'invoice_on_subscription_end';
  }[];
}

const INTERVALS: readonly (Interval | null)[] = [
  null,
  null,
  { unit: 'day', count: 10 },
  { unit: 'week', count: 1 },
];
const TIERS = [[perUnit('0.333')], [freeUpTo('10'), perUnit('1.00', '10')]];

export const METRICS = ['metric-0', 'metric-1', 'metric-2'].map((name) => ({
  name,
  metricId: namedId(name),
}));

export function shopOf(random: Random, org: Uuid): Shop {
  const customerIds = ['ada', 'bob'];
  return {
    taxRate: random.pick([null, '19', '8.875']),
    prorationBasis: random.pick(['second', 'second', 'day']),
    customers: customerIds.map((id) => customerKeyOf(org, id)),
    customerIds,
    plans: ['basic', 'gold', 'rich'].map((name) => ({ planId: namedId(name), content: plan(random) })),
    addons: [
      {
        ...addon(random),
        addonId: namedId('support'),
        content: aContent({ recurringCharges: [fee(random)] }),
      },
      {
        ...addon(random),
        addonId: namedId('traffic'),
        content: aContent({ components: [{ ...component(random, 2), prepaid: null }] }),
      },
    ],
  };
}

const addon = (random: Random) => ({
  billingFrequency: random.pick(['one_time', 'recurring'] as const),
  invoiceWhen: random.pick(['invoice_on_attach', 'invoice_on_subscription_end'] as const),
});

const plan = (random: Random): PriceContent =>
  aContent({
    recurringCharges: Array.from({ length: random.integer(0, 2) }, () => fee(random)).map(
      (charge, place) => ({
        ...charge,
        name: `fee ${place}`,
      }),
    ),
    components: Array.from({ length: random.integer(0, 2) }, (_, place) => component(random, place)),
  });

const fee = (random: Random) =>
  aCharge({
    timing: random.pick(['in_advance', 'in_arrears']),
    behavior: random.pick(['prorate', 'full']),
    amount: `${random.integer(1, 50_000)}e-2`,
    resetInterval: random.pick(INTERVALS),
    invoicingInterval: random.pick(INTERVALS),
  });

function component(random: Random, place: number): PlanComponent {
  const { name, metricId } = METRICS[place]!;
  const standard = aComponent();
  return {
    ...standard,
    metricId,
    metricName: name,
    metric: { ...standard.metric, eventName: name },
    tiers: random.pick(TIERS),
    resetInterval: random.pick(INTERVALS),
    invoicingInterval: random.pick(INTERVALS),
    prepaid: random.chance(0.4)
      ? { units: String(random.integer(0, 40)), behavior: random.pick(['prorate', 'full']) }
      : null,
  };
}
