import type { INestApplicationContext } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { presentExplanation, type InvoiceExplanation } from '../audit/http/present-explanation.js';
import { ExplainInvoice, type ExplainedInvoice } from '../audit/queries/explain-invoice.js';
import type { Uuid } from '../kernel/ids.js';
import { onOneLine } from '../kernel/printable-text.js';
import { quantityTexts } from './quantity-texts.js';
import { amountText, withMinorUnits } from './amount-text.js';
import { tableText, type Output } from './output.js';

type Line = InvoiceExplanation['lines'][number];
type Adjustment = Line['adjustments'][number];
type PeriodAdjustment = NonNullable<NonNullable<Adjustment['allocation']>['of_period']>;
type Calculation = NonNullable<Line['calculation']>;
type Step = Calculation['steps'][number];
type Tier = Step['tiers'][number];

/** Prints how each line of an invoice was calculated. @throws DomainError `not_found` */
export async function* explainInvoice(
  app: INestApplicationContext,
  org: Uuid,
  name: string,
): AsyncGenerator<Output, boolean> {
  const explained = await app
    .get(QueryBus)
    .execute(new ExplainInvoice(org, name, new AbortController().signal));
  const { lines, ...invoice } = presentExplanation(explained);
  const { invoice_number: number, invoice_id: id, as_of: asOf, totals } = invoice;
  const { currency } = explained.row;
  const { base, adjustments, amount } = totals;
  yield {
    text: [
      `invoice ${number} (${id})`,
      `computed with what was known at ${asOf}`,
      `base ${amountText(base, currency)}, adjustments ${amountText(adjustments, currency)}, amount ${amountText(amount, currency)}`,
      dueText(explained.row, totals.cost_due),
    ].join('\n'),
    fields: invoice,
  };
  for (const line of lines) yield { text: `\n${textOfLine(line, currency)}`, fields: line };
  return true;
}

/** Says what was due when the invoice was issued, and what is due now. */
function dueText(
  { currency, cost_due: due, payment_status: status }: ExplainedInvoice['row'],
  first: number,
) {
  const now =
    status === 'voided' ? 'the invoice is voided' : `${status}, due now ${amountText(due, currency)}`;
  return `due when issued ${amountText(first, currency)}; ${now}`;
}

function textOfLine(line: Line, currency: string): string {
  const { calculation, adjustments, usage, inputs } = line;
  return [
    `line ${line.line}: ${onOneLine(line.name)}, ${amountText(line.amount, currency)}`,
    ...indented([
      `${line.rule}, ${inputs.start} to ${inputs.end}`,
      ...(usage ? [textOfUsage(usage), ...quantityTexts(usage).map((text) => `  ${text}`)] : []),
      ...(calculation ? textOfCalculation(calculation, line.fraction, currency) : []),
      ...line.reverses.map((of) => {
        const place = of.line === null ? '' : `line ${of.line} of `;
        return `reverses ${amountText(of.amount, currency)} of ${place}${of.invoice_number ?? of.invoice_id}`;
      }),
      ...line.credits.map((of) => `${of.credit_id}: ${amountText(of.amount, currency)}`),
      `base ${amountText(line.base, currency)}`,
      ...adjustments.flatMap((of) => textOfAdjustment(of, line.line, currency)),
    ]),
  ].join('\n');
}

function textOfUsage({ quantity, event_count: events, average }: NonNullable<Line['usage']>): string {
  const averaged = average ? `, on average: ${average.sum} ÷ ${average.values}` : '';
  return `${quantity} counted from ${events} events${averaged}`;
}

function textOfAdjustment({ allocation, ...of }: Adjustment, line: number, currency: string): string[] {
  const text = (amount: number | string) => amountText(amount, currency);
  const rule = [of.rule, of.figure].filter((part) => part !== null).join(' ');
  const adjustment = `${of.adjustment_type} ${text(of.amount)} (${rule})`;
  if (!allocation) return [adjustment];
  const { of_period: period, carried_back: back, lines } = allocation;
  const share = `its share of ${text(allocation.total)}, by ${text(allocation.own_base)} of ${text(allocation.base)} on ${linesText(lines)}`;
  return [
    adjustment,
    ...(period ? [`  ${textOfPeriod(period, text(of.figure ?? '0'), text)}`] : []),
    ...(lines.length > 1 && lines.includes(line) ? [`  ${share}`] : []),
    ...(back === 0 ? [] : [`  carried back ${text(back)}`]),
  ];
}

function textOfPeriod(
  { rounded_before: before, rounded_up_to: upTo, ...of }: PeriodAdjustment,
  figure: string,
  text: (amount: number) => string,
): string {
  const prorated =
    before === '0' ? `${figure} × ${upTo}` : `round(${figure} × ${upTo}) − round(${figure} × ${before})`;
  return `of the period ${prorated} = ${text(of.amount)}, on ${text(of.base)}, given ${text(of.adjusted)}`;
}

/** Names up to five lines, or says how many there are. */
const linesText = (lines: readonly number[]): string =>
  lines.length > 5 ? `${lines.length} lines` : `lines ${lines.join(', ')}`;

function textOfCalculation(calculation: Calculation, fraction: string, currency: string): string[] {
  const { full_interval: full, steps, earlier_lines: earlier } = calculation;
  const { exact, due, charged_before: before } = calculation;
  const proration = [
    `fraction ${fraction} of ${full.start} to ${full.end}`,
    `prorated by ${calculation.proration_basis} in ${calculation.timezone}`,
  ];
  return [
    ...(steps.some(({ prorated }) => prorated) ? proration : []),
    ...tableText(withValues(steps.flatMap((step) => rowsOfStep(step, currency)))).split('\n'),
    ...steps.map((step) => amountOfStep(step, currency)),
    `exact ${amountText(exact, currency)}, owed ${amountText(due, currency)}, charged before ${amountText(before, currency)}`,
    ...earlier.map(
      (of) =>
        `charged before: ${amountText(of.base, currency)} by line ${of.line} of ${of.invoice_number ?? of.invoice_id}`,
    ),
  ];
}

function amountOfStep({ what, ...step }: Step, currency: string): string {
  const { prorated, fraction, rounded_before: before, rounded_up_to: upTo } = step;
  const [price, amount] = [amountText(step.price, currency), amountText(step.amount, currency)];
  if (what === 'usage_paid_by_prepaid_units')
    return `${named(what)}: ${amount}, the price of ${step.units} ${step.units === '1' ? 'unit' : 'units'} (${step.prepaid_units} prepaid)`;
  if (!prorated) return `${named(what)}: ${price}, not ${fraction === '0' ? 'charged' : 'prorated'}`;
  if (before === null) return `${named(what)}: ${price} × ${fraction} = ${amount}`;
  return `${named(what)}: round(${price} × ${upTo}) − round(${price} × ${before}) = ${amount}`;
}

/** Prints a row for each tier that prices units of the step, or one for a step without tiers. */
function rowsOfStep({ what, units, unit_price: unitPrice, tiers, price }: Step, currency: string) {
  const whole = { tier: null, from: null, to: null, units, price: each(unitPrice, currency), amount: price };
  const rows = tiers.map((tier) => ({
    tier: String(tier.tier),
    from: tier.from,
    to: tier.to,
    units: tier.units,
    price: priceOf(tier, currency),
    amount: tier.amount,
  }));
  return (rows.length > 0 ? rows : [whole]).map(({ amount, ...row }) => ({
    charge: named(what),
    ...row,
    [currency]: withMinorUnits(amount, currency),
  }));
}

function priceOf(tier: Tier, currency: string): string | null {
  if (tier.type === 'free') return 'free';
  if (tier.type === 'flat') return `${withMinorUnits(tier.flat_fee ?? '0', currency)} flat`;
  const { units_per_batch: batch } = tier;
  return batch === null || batch === '1'
    ? each(tier.unit_price, currency)
    : `${withMinorUnits(tier.unit_price ?? '0', currency)} per ${batch}`;
}

const each = (price: string | null, currency: string): string | null =>
  price === null ? null : `${withMinorUnits(price, currency)} each`;

/** Leaves out the columns that no row has a value in. */
function withValues(rows: ReturnType<typeof rowsOfStep>): Readonly<Record<string, string | null>>[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(([column]) =>
        rows.some((other) => (other as Record<string, string | null>)[column] !== null),
      ),
    ),
  );
}

const named = (what: Step['what']): string => what.replaceAll('_', ' ');

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`.trimEnd());
