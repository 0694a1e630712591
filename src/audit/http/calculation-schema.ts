import {
  flag,
  integer,
  listOf,
  named,
  noted,
  nullable,
  number,
  object,
  oneOf,
  text,
} from '../../platform/http/openapi/schema.js';
import { dateTime, wireId } from '../../platform/http/openapi/values.js';

const exactText = (description: string) =>
  text({ description: `${description} Exact: decimal text, or n/d.` });

const TIER_ROW = named(
  'CalculatedTier',
  object({
    tier: integer({ minimum: 1, description: 'Place of the tier in the plan version, from 1.' }),
    type: oneOf(['flat', 'per_unit', 'free']),
    from: exactText('Where the tier starts, exclusive; 0 for the first.'),
    to: nullable(exactText('Where it ends, inclusive; null: it is open.')),
    units: exactText('Units that this tier prices.'),
    batches: nullable(
      exactText('Batches charged, rounded as the tier says; null where no batch has a price.'),
    ),
    unit_price: nullable(exactText('Price of a batch of a per_unit tier.')),
    units_per_batch: nullable(exactText('Units of a batch.')),
    rounding: nullable(
      text({ description: 'Rounding of batches: round_up, round_down, round_nearest, no_rounding.' }),
    ),
    flat_fee: nullable(exactText('Price of a flat tier.')),
    amount: exactText('Amount that the tier adds to the price.'),
  }),
);

const STEP = named(
  'CalculationStep',
  object({
    what: oneOf(['recurring_charge', 'prepaid_units', 'usage', 'usage_paid_by_prepaid_units']),
    units: exactText(
      'Units that are priced, before covered ones are taken off. Of usage_paid_by_prepaid_units: all that were used where the prepaid units cost at least what was used costs, else the prepaid units.',
    ),
    covered: exactText('Units that prepaid units of an earlier plan cover, taken off before the tiers.'),
    prepaid_units: nullable(
      exactText(
        'Prepaid units that cover usage, of the plan or of an earlier one. What is left of them is not credited. null: none do.',
      ),
    ),
    unit_price: nullable(exactText('Price of one unit of a recurring charge; null where tiers price it.')),
    tiers: listOf(TIER_ROW),
    bulk_pricing_enabled: noted(flag(), {
      description: 'true: one tier prices all units, also those below its start; false: each tier its own.',
    }),
    price: exactText('The sum of the tiers, or units × unit_price.'),
    start: dateTime(),
    end: dateTime(),
    prorated: noted(flag(), {
      description:
        'true: the price is for the full interval, and the part of it from start to end is charged; false: it is charged as it is, such as that of usage, or not at all.',
    }),
    fraction: exactText(
      'Factor of the price: where it is prorated the part of the full interval from start to end, else 1, or 0 where nothing is charged.',
    ),
    rounded_before: nullable(
      exactText('Fraction up to start of a price that is rounded cumulatively; null: it is not.'),
    ),
    rounded_up_to: nullable(
      exactText('Fraction up to end: amount = round(price × it) − round(price × rounded_before).'),
    ),
    amount: exactText('price × fraction unless rounded cumulatively; negative where it is taken off.'),
  }),
);

/** Calculation of a line's base: everything owed under its charge key − what earlier invoices charged. */
export const CALCULATION = named(
  'LineCalculation',
  object({
    charge_key: text({ description: 'Names the charge: lines with the same key share this calculation.' }),
    steps: listOf(STEP),
    exact: exactText('Sum of the amounts of the steps.'),
    due: number({ description: 'exact, rounded once to the minor unit of the currency.' }),
    charged_before: number({
      description:
        'Charged by earlier invoices. The bases of the lines with this key sum to due − charged_before.',
    }),
    earlier_lines: listOf(
      named(
        'EarlierLine',
        object({
          invoice_id: wireId('invoice'),
          invoice_number: nullable(text({ description: 'Its number.' })),
          line: integer({ minimum: 1, description: 'Place of the line on that invoice, from 1.' }),
          base: number({ description: 'Base of that line; they sum to charged_before.' }),
        }),
      ),
    ),
    window: object({ start: dateTime(), end: dateTime() }),
    full_interval: object({ start: dateTime(), end: dateTime() }),
    proration_basis: text({ description: 'second or day.' }),
    timezone: text({ description: 'IANA zone in which days are counted.' }),
  }),
);

/** A `fixed` or `price_override` adjustment of a billing period, of which the total is what is left. */
const PERIOD_ADJUSTMENT = named(
  'PeriodAdjustment',
  object({
    start: dateTime(),
    end: dateTime(),
    full_interval: object({ start: dateTime(), end: dateTime() }),
    rounded_before: exactText('Fraction up to start; 0 unless the period continues that of an earlier term.'),
    rounded_up_to: exactText('Fraction up to end.'),
    amount: number({
      description: 'The figure, prorated: round(figure × rounded_up_to) − round(figure × rounded_before).',
    }),
    base: number({
      description: 'Sum of the bases of all charges of the period, on this invoice and on earlier ones.',
    }),
    adjusted: number({
      description:
        'Adjustments that these charges have already, without those that this invoice reverses. The total, with what lines carry back, is amount − adjusted, for price_override amount − base − adjusted; a fixed amount takes off no more than base.',
    }),
  }),
);

/** Total that an adjustment is a share of. */
export const ALLOCATION = named(
  'AdjustmentAllocation',
  object({
    total: number({
      description:
        'Amount that the lines share in proportion to their bases, rounded once. Each share is rounded toward zero; the minor units that are left go to the largest remainders, of equal ones to the first lines.',
    }),
    base: number({ description: 'Sum of the bases of these lines; a tax is taken of their subtotals.' }),
    own_base: number({ description: 'Base of the line itself.' }),
    carried_back: number({
      description:
        'Price adjustment that the line carries back of a charge that it reduces, beside its share; it is no part of the total.',
    }),
    lines: listOf(integer({ minimum: 1, description: 'Place of a line on the invoice, from 1.' })),
    of_period: nullable(PERIOD_ADJUSTMENT),
  }),
);
