import { toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { fromStored, money, toJsonNumber } from '../../kernel/money.js';
import { exactText, type Quantity } from '../../kernel/quantity.js';
import type { Period } from '../../kernel/period.js';
import type { TierRow } from '../../pricing/tier-rows.js';
import type { ExplainedLine } from '../queries/explain-invoice.js';
import type { CalculationStep } from '../queries/line-calculation.js';

/** Presents the calculation of a line's base; null for a line without a price. */
export function presentCalculation({ calculation, earlier, line }: ExplainedLine) {
  if (!calculation) return null;
  const { steps, exact, due, chargedBefore, segment, full, basis, zone } = calculation;
  const amountOf = (minor: bigint) => toJsonNumber(money(minor, line.base.currency));
  return {
    charge_key: line.chargeKey,
    steps: steps.map(presentStep),
    exact: exactText(exact),
    due: amountOf(due),
    charged_before: amountOf(chargedBefore),
    earlier_lines: earlier.map(({ invoiceId, number, index, line: { base } }) => ({
      invoice_id: toWireId('invoice', invoiceId),
      invoice_number: number,
      line: index + 1,
      base: toJsonNumber(fromStored(base)),
    })),
    window: presentPeriod(segment),
    full_interval: presentPeriod(full),
    proration_basis: basis,
    timezone: zone,
  };
}

export const presentPeriod = ({ start, end }: Period) => ({
  start: formatInstant(start),
  end: formatInstant(end),
});

const presentStep = ({ cumulative, prepaidUnits, unitPrice, during, ...step }: CalculationStep) => ({
  what: step.what,
  units: exactText(step.units),
  covered: exactText(step.covered),
  prepaid_units: optional(prepaidUnits),
  unit_price: optional(unitPrice),
  tiers: step.tiers.map(presentRow),
  bulk_pricing_enabled: step.isBulk,
  price: exactText(step.price),
  ...presentPeriod(during),
  prorated: step.isProrated,
  fraction: exactText(step.fraction),
  rounded_before: optional(cumulative?.before ?? null),
  rounded_up_to: optional(cumulative?.upTo ?? null),
  amount: exactText(step.amount),
});

const presentRow = ({ tier, from, to, units, batches, amount }: TierRow, index: number) => ({
  tier: index + 1,
  type: tier.type,
  from: exactText(from),
  to: optional(to),
  units: exactText(units),
  batches: optional(batches),
  unit_price: tier.type === 'per_unit' ? tier.costPerBatch : null,
  units_per_batch: tier.type === 'per_unit' ? tier.unitsPerBatch : null,
  rounding: tier.type === 'per_unit' ? tier.rounding : null,
  flat_fee: tier.type === 'flat' ? tier.costPerBatch : null,
  amount: exactText(amount),
});

const optional = (value: Quantity | null): string | null => (value === null ? null : exactText(value));
