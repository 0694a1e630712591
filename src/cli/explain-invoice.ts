import type { INestApplicationContext } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { presentExplanation, type InvoiceExplanation } from '../audit/http/present-explanation.js';
import { ExplainInvoice } from '../audit/queries/explain-invoice.js';
import type { Uuid } from '../kernel/ids.js';
import { tableText, type Output } from './output.js';

type Line = InvoiceExplanation['lines'][number];
type Calculation = NonNullable<Line['calculation']>;
type Step = Calculation['steps'][number];

/** Prints how each line of an invoice was calculated. @throws DomainError `not_found` */
export async function* explainInvoice(
  app: INestApplicationContext,
  org: Uuid,
  name: string,
): AsyncGenerator<Output, boolean> {
  const { lines, ...invoice } = presentExplanation(
    await app.get(QueryBus).execute(new ExplainInvoice(org, name)),
  );
  const { invoice_number: number, invoice_id: id, as_of: asOf, totals } = invoice;
  yield {
    text: [
      `invoice ${number} (${id}), computed with what was known at ${asOf}`,
      `base ${totals.base}, adjustments ${totals.adjustments}, amount ${totals.amount}, due ${totals.cost_due}`,
    ].join('\n'),
    fields: invoice,
  };
  for (const line of lines) yield { text: `\n${textOfLine(line)}`, fields: line };
  return true;
}

function textOfLine(line: Line): string {
  const { calculation, adjustments, usage, inputs } = line;
  return [
    `line ${line.line}: ${line.name}, ${line.amount}`,
    ...indented([
      `${line.rule}, ${inputs.start} to ${inputs.end}, fraction ${line.fraction}`,
      ...(usage ? [`${usage.quantity} counted from ${usage.event_count} events`] : []),
      ...(calculation ? textOfCalculation(calculation) : []),
      ...line.reverses.map((of) => `reverses ${of.amount} of line ${of.line ?? '–'} of ${of.invoice_number}`),
      ...line.credits.map((of) => `${of.credit_id}: ${of.amount}`),
      `base ${line.base}`,
      ...adjustments.map((of) =>
        `${of.adjustment_type} ${of.amount} (${of.rule} ${of.figure ?? ''})`.replace(' )', ')'),
      ),
    ]),
  ].join('\n');
}

function textOfCalculation(calculation: Calculation): string[] {
  const { full_interval: full, steps, earlier_lines: earlier } = calculation;
  return [
    `part of ${full.start} to ${full.end}, by ${calculation.proration_basis} in ${calculation.timezone}`,
    ...tableText(steps.flatMap(rowsOfStep)).split('\n'),
    ...steps.map(({ what, price, fraction, amount }) => `${named(what)}: ${price} × ${fraction} = ${amount}`),
    `exact ${calculation.exact}, due ${calculation.due}, charged before ${calculation.charged_before}`,
    ...earlier.map(
      (of) => `charged before: ${of.base} by line ${of.line} of ${of.invoice_number ?? of.invoice_id}`,
    ),
  ];
}

/** Prints a row for each tier that prices units of the step, or one for a step without tiers. */
function rowsOfStep({ what, units, unit_price: unitPrice, tiers, price }: Step) {
  const rows = tiers.map((tier) => ({
    tier: String(tier.tier),
    from: tier.from,
    to: tier.to,
    units: tier.units,
    unit_price: tier.unit_price,
    units_per_batch: tier.units_per_batch,
    flat_fee: tier.flat_fee,
    amount: tier.amount,
  }));
  const whole = { tier: null, from: null, to: null, units, unit_price: unitPrice };
  return (rows.length > 0 ? rows : [{ ...whole, units_per_batch: null, flat_fee: null, amount: price }]).map(
    (row) => ({ charge: named(what), ...row }),
  );
}

const named = (what: Step['what']): string => what.replaceAll('_', ' ');

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`.trimEnd());
