import { expect } from '@jest/globals';
import type { ComputedInvoice, LineAdjustment } from '../../src/billing/accounts/domain/event-data.js';
import { instant } from '../../src/kernel/instant.js';
import { fromExact, fromStored, toDecimal } from '../../src/kernel/money.js';
import { quantity, readExactText, toDecimalText } from '../../src/kernel/quantity.js';
import { creditIdOf } from '../support/engine/engine-books.js';
import { Scenario } from './scenario.js';
import type { Expectation, ScenarioModel } from './scenario-model.js';

/** Executes the steps of a scenario and checks their expectations. */
export function proveScenario(model: ScenarioModel): void {
  const scenario = new Scenario(model);
  for (const step of model.steps) {
    const issued = scenario.take(step);
    if (!step.expect) continue;
    const { invoice: sale, amount_remaining: remaining } = step.expect;
    if (remaining !== undefined) {
      const names = typeof remaining === 'string' ? { [step.name ?? 'credit']: remaining } : remaining;
      const found = Object.keys(names).map((name) => [name, scenario.remainingOf(name)]);
      expect(Object.fromEntries(found)).toEqual(names);
    }
    if (sale === null || step.expect.status === 400) {
      expect(issued).toEqual([]);
      continue;
    }
    expect(issued).toHaveLength(1);
    if (sale) {
      const { lines, total } = issued[0]!;
      expect(toDecimal(fromStored(total))).toBe(sale.amount);
      expect(lines.map(({ billingType }) => billingType)).toEqual([sale.billing_type ?? 'one_time']);
      continue;
    }
    const [invoice] = issued as [ComputedInvoice];
    expect(actualParts(invoice, scenario, step.expect)).toEqual(wanted(step.expect, invoice.currency));
  }
  const last = scenario.invoices.at(-1)!;
  if (model.plan_adjustment) {
    expect(sumOf('plan_adjustment', last)).toBe(cents(model.plan_adjustment, last.currency));
  }
}

const cents = (text: string, currency: string): string => toDecimal(fromExact(quantity(text), currency));
const isZero = (amount: string): boolean => /^[0.]*$/.test(amount);

function sumOf(type: LineAdjustment['type'], { lines, currency }: ComputedInvoice): string {
  const minor = lines
    .flatMap(({ adjustments }) => adjustments)
    .filter((adjustment) => adjustment.type === type)
    .reduce((sum, { amount }) => sum + BigInt(amount.amount), 0n);
  return toDecimal(fromStored({ ...lines[0]!.amount, amount: String(minor), currency }));
}

/** Returns the parts of an invoice that a step has expectations for, in the step's format. */
function actualParts(invoice: ComputedInvoice, scenario: Scenario, expected: Expectation): Expectation {
  const charged = invoice.lines.filter((line) => line.subscriptionId !== null);
  const net = charged.map(({ subtotal }) => toDecimal(fromStored(subtotal))).filter((text) => !isZero(text));
  const usage = invoice.lines.find(({ explanation }) => explanation.rule === 'usage');
  const all: Expectation = {
    nonzero_net_lines: net.sort(),
    line_amounts: charged.map(({ amount }) => toDecimal(fromStored(amount))),
    tax: sumOf('sales_tax', invoice),
    amount: toDecimal(fromStored(invoice.total)),
    drawdowns: Object.fromEntries(
      Object.keys(expected.drawdowns ?? {}).map((name) => [name, drawn(invoice, creditIdOf(name))]),
    ),
    credit_granted: toDecimal(fromStored(invoice.grants[0]?.amount ?? { ...invoice.total, amount: '0' })),
    applied_credit: sumOf('credit', invoice),
    credit_left: scenario.creditLeft,
    zero_lines: charged.length - net.length,
    ...(usage ? { quantity: usage.quantity!, billing_type: usage.billingType } : {}),
    term_start_utc: scenario.newestStart,
    ...(scenario.latestUnits === undefined ? {} : { later_windows_units: scenario.latestUnits }),
    end_date: scenario.newestEnd,
  };
  return Object.fromEntries(Object.entries(all).filter(([key]) => key in expected));
}

const drawn = ({ drawdowns }: ComputedInvoice, creditId: string): string => {
  const drawdown = drawdowns.find((candidate) => candidate.creditId === creditId);
  return drawdown ? toDecimal(fromStored(drawdown.amount)) : 'nothing';
};

function wanted(expected: Expectation, currency: string): Expectation {
  const { nonzero_net_lines: net, tax, amount, quantity: units, term_start_utc: start, ...others } = expected;
  const { amount_remaining: _, note: __, ...rest } = others;
  return {
    ...rest,
    ...(net ? { nonzero_net_lines: net.map((text) => cents(text, currency)).sort() } : {}),
    ...(tax ? { tax: cents(tax, currency) } : {}),
    ...(amount ? { amount: cents(amount, currency) } : {}),
    ...(units ? { quantity: toDecimalText(readExactText(units)) } : {}),
    ...(start ? { term_start_utc: instant(start) } : {}),
  };
}
