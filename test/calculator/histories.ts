import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from './calendar.js';
import type { CancelBody, History, Plan, Properties, Step, SubscriptionFilter } from './history.js';
import { METRICS, REGIONS, addon, metric, plan, type Features } from './prices.js';

const FROM = Date.parse('2025-11-01T00:00:00Z');
const iso = (at: number): string => new Date(at).toISOString();

/** Days after the step as text, or null. */
const someDays: fc.Arbitrary<string | null> = fc.option(
  fc.integer({ min: 1, max: 60 }).map((n) => String(n)),
);

const cancelBody: fc.Arbitrary<CancelBody> = fc.record({
  flat_fee_behavior: fc.constantFrom(
    null,
    'refund' as const,
    'charge_prorated' as const,
    'charge_full' as const,
  ),
  usage_behavior: fc.constantFrom('bill_full' as const, 'bill_full' as const, 'bill_none' as const),
  invoicing_behavior: fc.constantFrom('invoice_now' as const, 'add_to_next_invoice' as const),
});

/** Properties of an event that filters match: each may be absent, and `size` may not be a number. */
const properties: fc.Arbitrary<Properties> = fc.record(
  {
    region: fc.constantFrom(...REGIONS),
    size: fc.constantFrom('2', '3', '5', '12.5', '40', 'large'),
  },
  { requiredKeys: [] },
);

const filters: fc.Arbitrary<readonly SubscriptionFilter[]> = fc
  .constantFrom(null, null, null, ...REGIONS)
  .map((value) => (value === null ? [] : [{ property_name: 'region', value }]));

const subscription = fc.constantFrom('S0', 'S0', 'S1');
type Unplaced = Step extends infer S
  ? S extends Step
    ? Omit<S, 'at'> & { readonly hoursAgo?: number; readonly endsIn?: number | null }
    : never
  : never;

const act = (features: Features): fc.Arbitrary<Unplaced> => {
  const acts: { weight: number; arbitrary: fc.Arbitrary<Unplaced> }[] = [
    {
      weight: 14,
      arbitrary: fc.record({
        do: fc.constant('track' as const),
        metric: fc.constantFrom(...METRICS),
        time: fc.constant(''),
        value: fc.oneof(
          { weight: 12, arbitrary: fc.integer({ min: 0, max: 400 }).map((n) => String(n / 10)) },
          { weight: 1, arbitrary: fc.constant(null) },
        ),
        hoursAgo: fc.oneof(
          { weight: 3, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.nat({ max: 29 * 24 }) },
        ),
        properties,
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pay' as const) }) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(subscription, cancelBody)
        .map(([name, body]) => ({ do: 'cancel', subscription: name, ...body })),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('update' as const),
        subscription,
        turn_off_auto_renew: fc.boolean(),
        end_date: someDays,
      }),
    },
  ];
  if (features.switches)
    acts.push({
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('switch' as const),
        subscription,
        plan: fc.constantFrom('P0', 'P1', 'P2'),
        usage_behavior: fc.constantFrom('transfer_to_new_subscription' as const, 'keep_separate' as const),
        invoicing_behavior: fc.constantFrom('invoice_now' as const, 'add_to_next_invoice' as const),
        endsIn: fc.option(fc.integer({ min: 1, max: 20 })),
      }),
    });
  if (features.prepaid)
    acts.push({
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('change_units' as const),
        subscription,
        metric: fc.constantFrom(...METRICS),
        units: fc.integer({ min: 0, max: 60 }).map((n) => String(n)),
        invoice_now: fc.boolean(),
      }),
    });
  if (features.credits)
    acts.push({
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('credit' as const),
        amount: fc.integer({ min: 1, max: 200 }).map((n) => String(n)),
        amount_paid: fc.constantFrom('0', '0', '5', '40'),
        expires_at: someDays,
      }),
    });
  if (features.addons)
    acts.push(
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('attach' as const),
          subscription,
          addon: fc.constantFrom('A0', 'A1'),
          quantity: fc.integer({ min: 1, max: 3 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(subscription, fc.constantFrom('A0', 'A1'), cancelBody)
          .map(([name, one, body]) => ({ do: 'cancel_addon', subscription: name, addon: one, ...body })),
      },
    );
  if (features.voids)
    acts.push({
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('void' as const),
        invoice: fc.integer({ min: 1, max: 6 }),
        rebill: fc.boolean(),
      }),
    });
  if (features.replacements)
    acts.push({
      weight: 1,
      arbitrary: fc
        .constantFrom(['P0', 'P1'] as const, ['P0', 'P2'] as const, ['P1', 'P2'] as const)
        .map(([replaced, by]) => ({ do: 'replace', plan: replaced, by })),
    });
  if (features.tax)
    acts.push({
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('tax' as const),
        tax_rate: fc.constantFrom(null, '0', '7', '19', '8.875'),
      }),
    });
  return fc.oneof(...acts);
};

const CURRENCIES = [
  { code: 'USD', decimals: 2 },
  { code: 'USD', decimals: 2 },
  { code: 'JPY', decimals: 0 },
  { code: 'KWD', decimals: 3 },
];

/** Random histories of one customer. */
export const histories = (features: Features): fc.Arbitrary<History> =>
  fc
    .record({
      tax_rate: features.tax ? fc.constantFrom(null, '19', '8.875') : fc.constant(null),
      proration_basis: fc.constantFrom('second' as const, 'second' as const, 'day' as const),
      timezone: fc.constantFrom(
        'UTC',
        'UTC',
        'Europe/Warsaw',
        'America/Havana',
        'Australia/Lord_Howe',
        'Asia/Kolkata',
      ),
      currency: fc.constantFrom(...CURRENCIES),
      metrics: fc.tuple(metric, metric),
      plan_duration: fc.constantFrom(
        'monthly' as const,
        'monthly' as const,
        'quarterly' as const,
        'yearly' as const,
        null,
      ),
      plans: fc.tuple(plan(features), plan(features), plan(features)),
      addons: fc.tuple(addon, addon),
      start: fc.integer({ min: 0, max: 140 * 24 }),
      minutes: fc.constantFrom(0, 0, 0, 754),
      days: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 3 }),
      second: fc.option(
        fc.oneof(
          { weight: 1, arbitrary: fc.constant(0) },
          { weight: 4, arbitrary: fc.integer({ min: 1, max: 40 * 24 }) },
        ),
        { freq: 2 },
      ),
      auto_renew: fc.boolean(),
      filters: fc.tuple(filters, filters),
      acts: fc.array(fc.tuple(fc.nat({ max: 100 * 24 * 60 }), fc.boolean(), act(features)), {
        maxLength: 24,
        size: '+1',
      }),
    })
    .map((drawn): History => {
      const { tax_rate, proration_basis, timezone, currency, metrics, plans, plan_duration } = drawn;
      const start = FROM + drawn.start * HOUR + drawn.minutes * MINUTE;
      const subscribe = (index: 0 | 1, at: number, days: number | null): Step => ({
        at: iso(at),
        do: 'subscribe',
        subscription: `S${index}`,
        plan: `P${index}`,
        start_date: iso(at),
        subscription_filters: drawn.filters[index],
        end_date: days === null ? null : iso(at + days * DAY),
        auto_renew: drawn.auto_renew,
      });
      const started = drawn.second ? start + drawn.second * HOUR + 7 * MINUTE : start;
      const firsts = [
        subscribe(0, start, drawn.days),
        ...(drawn.second === null ? [] : [subscribe(1, started, null)]),
      ];
      const acts = drawn.acts.flatMap(([minutes, isMidnight, one], index) => {
        const drawnAt = start + 60_000 + minutes * MINUTE + index;
        const at = isMidnight ? drawnAt - (drawnAt % DAY) : drawnAt;
        const hasSecond = drawn.second !== null && at > started;
        return placed(one, at, index, hasSecond ? ['S0', 'S1'] : ['S0']);
      });
      const steps = [...firsts, ...acts].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
      // A plan without a duration derives it from its intervals: a renewal after a switch would take those of the new
      // plan.
      const own = steps.filter(
        (step) =>
          step.at >= firsts[0]!.at &&
          ((step.do !== 'switch' && step.do !== 'replace') || plan_duration !== null),
      );
      return {
        organization: { tax_rate, proration_basis, late_event_grace_minutes: 30 },
        customer: { tax_rate: null, timezone },
        currency,
        metrics: { M0: metrics[0], M1: metrics[1] },
        plans: Object.fromEntries(
          plans.map((one, n) => [`P${n}`, { ...one, plan_duration, ...anchors(one, plan_duration) }]),
        ),
        addons: features.addons ? { A0: drawn.addons[0], A1: drawn.addons[1] } : {},
        steps: [...own.map(rebilledAtOnce), { at: iso(start + 135 * DAY), do: 'advance' }],
      };
    });

/**
 * Makes a void rebill where a step before it moves the date of a planned run. A void without `rebill` waits for the
 * next planned run, even when the date has moved since (docs/billing.md#voids); the calculator does not record these
 * dates.
 */
function rebilledAtOnce(step: Step, index: number, all: readonly Step[]): Step {
  if (step.do !== 'void') return step;
  const movesDates = (other: Step) =>
    (other.do === 'update' && other.end_date !== null) ||
    ('invoicing_behavior' in other && other.invoicing_behavior === 'add_to_next_invoice');
  return all.slice(0, index).some(movesDates) ? { ...step, rebill: true } : step;
}

/** Drops anchors that a month may be too short for, where the duration may be of weeks: their granularities lose the day. */
const anchors = (
  { day_anchor, month_anchor }: Pick<Plan, 'day_anchor' | 'month_anchor'>,
  duration: Plan['plan_duration'],
) =>
  duration === null && (day_anchor ?? 1) > 28
    ? { day_anchor: null, month_anchor: null }
    : { day_anchor, month_anchor };

function placed(
  { hoursAgo = 0, endsIn = null, ...one }: Unplaced,
  at: number,
  index: number,
  known: readonly string[],
): Step[] {
  if ('subscription' in one && !known.includes(one.subscription)) return [];
  const step = { ...one, at: iso(at) } as Step;
  switch (step.do) {
    case 'switch': {
      // The end of the new subscription is set to an earlier day, often within the running period.
      const [next, end_date] = [iso(at + HOUR), endsIn === null ? null : iso(at + endsIn * DAY)];
      const update = { do: 'update' as const, subscription: step.subscription, turn_off_auto_renew: false };
      return end_date === null ? [step] : [step, { ...update, at: next, end_date }];
    }
    case 'track':
      return [{ ...step, time: iso(at - hoursAgo * HOUR - index) }];
    case 'update':
      return [{ ...step, end_date: step.end_date && iso(at + Number(step.end_date) * DAY) }];
    case 'credit':
      return [{ ...step, expires_at: step.expires_at && iso(at + Number(step.expires_at) * DAY) }];
    default:
      return [step];
  }
}
