import type { InvoiceLine } from '../../billing/domain/event-data.js';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { fromStored, toJsonNumber, type StoredMoney } from '../../kernel/money.js';
import type { ExplainedLine } from '../queries/explain-invoice.js';
import { presentEvent } from './present-event.js';

/** A line with the rule that made it and everything the rule was applied to; `price` is as the plan version has it. */
export function presentExplainedLine(explained: ExplainedLine, place: number) {
  const { line, charged, close, previousClose, followsFrom } = explained;
  const { rule, fraction, held } = line.explanation;
  return {
    line: place + 1,
    name: line.name,
    subscription_id: line.subscriptionId && toWireId('sub', line.subscriptionId),
    rule,
    fraction: fraction ?? null,
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
    ...amountsOf(line),
    usage: close ? presentClose(close) : null,
    previous_usage: previousClose ? presentClose(previousClose) : null,
    follows_from: followsFrom.map((event) => {
      const { data: _, ...shown } = presentEvent(event);
      return shown;
    }),
  };
}

const amountsOf = ({ base, adjustments, subtotal, amount }: InvoiceLine) => ({
  base: numberOf(base),
  adjustments: adjustments.map((adjustment) => ({
    adjustment_type: adjustment.type,
    account: adjustment.account,
    amount: numberOf(adjustment.amount),
  })),
  subtotal: numberOf(subtotal),
  amount: numberOf(amount),
});

const pricesOf = ({ tiers, volume, prepaid }: Prices): Prices => ({ tiers, volume, prepaid });
type Component = Extract<ExplainedLine['charged'], { component: unknown }>['component'];
type Prices = Pick<Component, 'tiers' | 'volume' | 'prepaid'>;

/** Units of a window in which they changed: so many from when on, over which part of the full interval. */
const presentUnits = ({
  units,
  from,
  fraction,
}: NonNullable<InvoiceLine['explanation']['held']>[number]) => ({
  units: Number(units),
  from: formatInstant(from),
  fraction,
});

/** The count as it was made: the same watermark and digest are found by counting again. */
const presentClose = ({ data }: NonNullable<ExplainedLine['close']>) => ({
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
});

const numberOf = (stored: StoredMoney): number => toJsonNumber(fromStored(stored));
