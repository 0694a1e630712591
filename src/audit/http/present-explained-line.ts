import type {
  ClosedUsagePeriod,
  InvoiceLine,
  LineAdjustment,
} from '../../billing/accounts/domain/event-data.js';
import { factorText } from '../../pricing/proration.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { fromStored, money, toDecimal, toJsonNumber, type StoredMoney } from '../../kernel/money.js';
import { ZERO, add, exactText, multiply, ratio, readExactText } from '../../kernel/quantity.js';
import type { ExplainedLine } from '../queries/explain-invoice.js';
import { presentAllocation } from './present-allocation.js';
import { presentCalculation } from './present-calculation.js';
import { presentQuantitySteps } from './present-quantity-steps.js';
import type { EventBy } from './present-event.js';

/**
 * Presents a line with the rule that calculated it and the inputs of the rule; `price` is that of the plan
 * version.
 */
export function presentExplainedLine(
  explained: ExplainedLine,
  index: number,
  referenceTo: (event: RecordedEvent) => EventBy,
) {
  const { line, charged, closedPeriod, previousClosedPeriod, followsFrom, settings } = explained;
  const { rule, held } = line.explanation;
  return {
    line: index + 1,
    name: line.name,
    subscription_id: line.subscriptionId && toWireId('sub', line.subscriptionId),
    rule,
    fraction: fractionOf(explained),
    inputs: {
      billing_type: line.billingType,
      start: formatInstant(line.period.start),
      end: formatInstant(line.period.end),
      quantity: line.quantity === null ? null : Number(line.quantity),
      price: charged && (charged.kind === 'recurring' ? charged.charge : pricesOf(charged.component)),
      prepaid_units: held ? held.map(presentUnits) : null,
      plan_version_id: line.plan && toWireId('plan_version', line.plan.versionId),
      tax_rate: line.explanation.taxRate ?? null,
    },
    ...amountsOf(explained),
    usage: closedPeriod ? presentClosedPeriod(closedPeriod, explained) : null,
    previous_usage: previousClosedPeriod ? presentClosedPeriod(previousClosedPeriod, explained) : null,
    reverses: reversesOf(explained),
    credits: explained.credits.map(({ creditId, amount }) => ({
      credit_id: toWireId('credit', creditId),
      amount: toJsonNumber(money(amount, line.amount.currency)),
    })),
    settings: settings.map(({ source, setting, value, event }) => ({
      source,
      setting,
      value,
      event: referenceTo(event),
    })),
    calculation: presentCalculation(explained),
    follows_from: followsFrom.map(referenceTo),
  };
}

/** Returns the prorated fraction: `1/1` without proration; for a reversal, the fraction of the reversed line. */
function fractionOf({
  line,
  charged,
  reverses,
}: Pick<ExplainedLine, 'line' | 'charged' | 'reverses'>): string {
  const { fraction, held } = line.explanation;
  if (fraction !== undefined) return fraction;
  const [reversed] = reverses;
  if (reversed) return fractionOf({ line: reversed.line, charged, reverses: [] });
  const isInParts = held && charged?.kind === 'prepaid' && charged.component.prepaid?.behavior === 'prorate';
  return isInParts ? factorText(held.map((part) => readExactText(part.fraction)).reduce(add, ZERO)) : '1/1';
}

const reversesOf = ({ line, reverses, reduces }: ExplainedLine) => [
  ...reverses.map(({ invoiceId, number, index, amount, line: { base } }) => ({
    invoice_id: toWireId('invoice', invoiceId),
    invoice_number: number,
    line: index + 1,
    amount: toJsonNumber(money(amount, base.currency)),
  })),
  ...(reduces
    ? [
        {
          invoice_id: toWireId('invoice', reduces.invoiceId),
          invoice_number: reduces.number,
          line: null,
          amount: numberOf(line.amount),
        },
      ]
    : []),
];

const amountsOf = (explained: ExplainedLine) => {
  const { base, adjustments, subtotal, amount } = explained.line;
  return {
    base: numberOf(base),
    adjustments: adjustments.map((adjustment) => ({
      adjustment_type: adjustment.type,
      account: adjustment.account,
      amount: numberOf(adjustment.amount),
      ...ruleOf(adjustment, explained),
      allocation: presentAllocation(allocationOf(adjustment, explained)),
    })),
    subtotal: numberOf(subtotal),
    amount: numberOf(amount),
  };
};

const allocationOf = ({ type }: LineAdjustment, { taxAllocation, priceAllocation }: ExplainedLine) =>
  ({ sales_tax: taxAllocation, plan_adjustment: priceAllocation, credit: null })[type];

/** Describes how an adjustment is calculated: the rule, and its percent or amount as decimal text. */
function ruleOf(
  { type, amount }: LineAdjustment,
  { line, priceAdjustment, settings }: ExplainedLine,
): { readonly rule: string; readonly figure: string | null } {
  switch (type) {
    case 'sales_tax':
      return { rule: 'tax_rate', figure: line.explanation.taxRate ?? taxRateIn(settings) };
    case 'plan_adjustment':
      return { rule: priceAdjustment?.type ?? type, figure: priceAdjustment?.amount ?? null };
    case 'credit':
      return { rule: line.explanation.rule, figure: toDecimal(fromStored(amount)) };
  }
}

/** Tax rate of lines recorded without one: that of the setting. */
const taxRateIn = (settings: ExplainedLine['settings']): string | null =>
  (settings.find(({ setting }) => setting === 'tax_rate')?.value ?? null) as string | null;

const pricesOf = ({ tiers, volume, prepaid }: Prices): Prices => ({ tiers, volume, prepaid });
type Component = Extract<ExplainedLine['charged'], { component: unknown }>['component'];
type Prices = Pick<Component, 'tiers' | 'volume' | 'prepaid'>;

/** Presents prepaid units that changed within a window: units, start, and fraction of the full interval. */
const presentUnits = ({
  units,
  from,
  fraction,
}: NonNullable<InvoiceLine['explanation']['held']>[number]) => ({
  units: Number(units),
  from: formatInstant(from),
  fraction,
});

/** Presents a usage count with its evidence: counting again gives the same watermark and digest. */
const presentClosedPeriod = (
  { data }: NonNullable<ExplainedLine['closedPeriod']>,
  { charged, quantities }: ExplainedLine,
) => ({
  close_id: data.closeId,
  metric_id: toWireId('metric', data.metricId),
  window: { start: formatInstant(data.window.start), end: formatInstant(data.window.end) },
  quantity: data.quantity,
  event_count: data.eventCount,
  absent_values: data.absentValues,
  sealed_up_to: data.sealedUpTo,
  digest: data.digest,
  level: data.level?.reached ?? null,
  after_close_id: data.level?.after ?? null,
  average: averageOf(data, charged),
  ...presentQuantitySteps(quantities.get(data.closeId)),
});

/** Returns the sum and the number of the values of an averaging counter; null for any other metric. */
function averageOf(
  { quantity, eventCount, absentValues }: ClosedUsagePeriod,
  charged: ExplainedLine['charged'],
) {
  if (charged?.kind !== 'usage') return null;
  const { metricType, aggregation } = charged.component.metric;
  if (metricType !== 'counter' || aggregation !== 'average') return null;
  const values = eventCount - absentValues;
  return { sum: exactText(multiply(readExactText(quantity), ratio(BigInt(values), 1n))), values };
}

const numberOf = (stored: StoredMoney): number => toJsonNumber(fromStored(stored));
