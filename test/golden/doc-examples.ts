import { parse } from 'yaml';
import type { PartialTier } from '../calculator/golden-history.js';
import type { Expectation, ScenarioModel, Step } from './scenario-model.js';

/** Quantities with their amounts for some tiers. */
export interface TierTable {
  readonly tiers: readonly PartialTier[];
  readonly bulk_pricing_enabled?: boolean;
  readonly amounts: Readonly<Record<string, string>>;
}

interface Example {
  /** Heading above the example, with its number under that heading. */
  readonly name: string;
  readonly content: TierTable | ScenarioModel;
}

type Fields = Record<string, unknown>;

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

/**
 * Parses tiers: `free to 50`, `flat 2.00 to 0`, `5.00 per 100 round_up to 200`. A tier starts where the one before
 * ends.
 */
function tiersOf(texts: readonly string[]): PartialTier[] {
  let start = '0';
  return texts.map((text) => {
    const [, word, price, units, rounding, end] =
      /^(free|flat)? ?([\d.]+)?(?: per ([\d.]+))?(?: (round_\w+))?(?: to ([\d.]+))?$/.exec(text)!;
    const tier = {
      type: word ?? 'per_unit',
      range_start: start,
      ...(end && { range_end: end }),
      ...(price && { cost_per_batch: price }),
      ...(!word && { metric_units_per_batch: units ?? '1' }),
      ...(rounding && { batch_rounding_type: rounding }),
    };
    start = end ?? start;
    return tier as PartialTier;
  });
}

/** Parses a recurring charge: `30.00`, `30.00 full`, `30.00 in_arrears`. Default: in advance and prorated. */
function chargeOf(text: string): Fields {
  const [amount, ...words] = text.split(' ');
  return {
    amount,
    charge_timing: words.includes('in_arrears') ? 'in_arrears' : 'in_advance',
    charge_behavior: words.includes('full') ? 'full' : 'prorate',
  };
}

/** Parses a component: `[free to 10, 1.00]`, or `{ tiers: […], prepaid: 20 full, … }`. */
function componentOf(written: readonly string[] | Fields): Fields {
  const { tiers, prepaid, ...rest } = isList(written) ? { tiers: written } : (written as Fields);
  const [units, behavior] = typeof prepaid === 'string' ? prepaid.split(' ') : [];
  return {
    metric: 'M',
    ...rest,
    ...(units && { prepaid_charge: { units, charge_behavior: behavior } }),
    tiers: tiersOf(tiers as readonly string[]),
  };
}

/** Parses prices: `{ fee: 30.00, M: [1.00], adjustment: percentage -10 }`. */
function pricesOf({ fee, M: component, adjustment, ...rest }: Fields): Fields {
  const fees = fee === undefined ? [] : isList(fee) ? fee : [fee as string];
  const [type, amount] = typeof adjustment === 'string' ? adjustment.split(' ') : [];
  return {
    ...rest,
    ...(fees.length > 0 && { recurring_charges: fees.map(chargeOf) }),
    ...(component !== undefined && { components: [componentOf(component as Fields)] }),
    ...(type && { price_adjustment: { price_adjustment_type: type, price_adjustment_amount: amount } }),
  };
}

/** Parses a metric: `gauge total months/days` or `rate sum hours`. Default: a counter that sums `n`. */
function metricOf(text: string | undefined): Fields {
  const [type, second, third] = (text ?? 'counter').split(' ');
  const property = { property_name: 'n' };
  if (type === 'counter') return { metric_type: type, aggregation_type: 'sum', ...property };
  if (type === 'rate')
    return { metric_type: type, aggregation_type: second, ...property, granularity: third };
  const [granularity, proration] = third!.split('/');
  return {
    metric_type: type,
    aggregation_type: 'max',
    ...property,
    event_type: second,
    granularity,
    ...(proration && { proration }),
  };
}

const STEPS: Readonly<Record<string, (words: readonly string[]) => Fields>> = {
  subscribe: ([plan]) => ({ do: 'subscribe', plan }),
  pay: () => ({ do: 'pay_open_invoices' }),
  advance: () => ({ do: 'advance_clock' }),
  track: ([n, , time]) => ({ do: 'track', metric: 'M', n, ...(time && { time }) }),
  cancel: ([behavior, usage_behavior]) => ({
    do: 'cancel',
    ...(behavior && { flat_fee_behavior: behavior }),
    ...(usage_behavior && { usage_behavior }),
  }),
  switch: ([to, ...words]) => ({
    do: 'switch',
    to,
    ...(words.includes('add_to_next_invoice') && { invoicing_behavior: 'add_to_next_invoice' }),
    ...(words.includes('keep_separate') && { usage_behavior: 'keep_separate' }),
  }),
  units: ([units]) => ({ do: 'change_prepaid_units', metric: 'M', units }),
  end_renewal: () => ({ do: 'update', turn_off_auto_renew: true }),
  end: ([date, word]) => ({
    do: 'update',
    turn_off_auto_renew: word !== 'renewing',
    end_date: date!.includes('T') ? date : `${date}T00:00:00Z`,
  }),
  basis: ([proration_basis]) => ({ do: 'set_proration_basis', proration_basis }),
  zone: ([timezone]) => ({ do: 'set_timezone', timezone }),
  void: ([invoice, word]) => ({ do: 'void', invoice, rebill: word === 'rebill' }),
  attach: ([addon, quantity]) => ({ do: 'attach_addon', addon, ...(quantity && { quantity }) }),
  credit: ([name, amount, key, value]) => ({
    do: 'create_credit',
    name,
    amount,
    ...(key && { [key === 'paid' ? 'amount_paid' : 'expires_at']: value }),
  }),
};

/** Parses an expectation: a list of the net lines of the step's invoice, or `none` for no invoice. */
function expectationOf(written: unknown): Expectation | undefined {
  if (written === null) return undefined;
  if (written === 'none') return { invoice: null };
  const { lines, ...rest } = (isList(written) ? { lines: written } : written) as Fields;
  return { ...rest, ...(lines !== undefined && { nonzero_net_lines: lines as readonly string[] }) };
}

/** Parses a step: `2026-02-15 switch B keep_separate: [15.00]`. A date means its first instant. */
function stepOf([text, written]: [string, unknown]): Step {
  const [at, verb, ...words] = text.split(' ');
  const expected = expectationOf(written);
  return {
    at: at!.includes('T') ? at! : `${at}T00:00:00Z`,
    ...(STEPS[verb!]!(words) as Omit<Step, 'at'>),
    ...(expected && { expect: expected }),
  };
}

const mapValues = (of: unknown, change: (value: Fields) => Fields): Fields =>
  Object.fromEntries(
    Object.entries(of as Record<string, Fields>).map(([name, value]) => [name, change(value)]),
  );

function contentOf(written: Fields): Example['content'] {
  if ('tiers' in written) {
    return { ...written, tiers: tiersOf(written['tiers'] as readonly string[]) } as unknown as TierTable;
  }
  const { metric, plans, addons, steps, ...rest } = written;
  const expanded = {
    ...rest,
    kind: 'scenario',
    plans: mapValues(plans, (plan) => ({ plan_duration: 'monthly', ...pricesOf(plan) })),
    ...(addons !== undefined && { addons: mapValues(addons, pricesOf) }),
    steps: Object.entries(steps as Fields).map(stepOf),
  };
  const counts = JSON.stringify(expanded).includes('"metric":"M"');
  return {
    ...expanded,
    ...(counts && { metrics: { M: metricOf(metric as string | undefined) } }),
  } as unknown as ScenarioModel;
}

/** Returns every YAML block of a page, with numbers as their text. */
export function examplesOf(page: string): Example[] {
  const found: Example[] = [];
  let heading = '';
  let count = 0;
  for (const part of page.split(/^(#+ .*|```yaml\n[^`]*```)$/m)) {
    if (part.startsWith('#')) [heading, count] = [part.replace(/^#+ /, ''), 0];
    if (!part.startsWith('```yaml')) continue;
    const text = part.slice('```yaml\n'.length, -'```'.length);
    const written = parse(text, { schema: 'failsafe', customTags: ['null', 'bool'] }) as Fields;
    found.push({ name: `${heading} #${(count += 1)}`, content: contentOf(written) });
  }
  return found;
}
