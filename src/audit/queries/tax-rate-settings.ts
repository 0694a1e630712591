import type { ComputedInvoice, InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import { sumOfAdjustments } from '../../billing/accounts/domain/account-charges.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { taxRateSetting, type SettingRead } from './settings-read.js';

interface Sources {
  readonly organization: readonly RecordedEvent[];
  readonly customer: readonly RecordedEvent[];
  /** Tells whether a line is rated from a count that replaces an earlier one of its window. */
  readonly isRecounted: (line: InvoiceLine) => boolean;
}

/**
 * Finds the setting that the tax rate of each line was computed with: of a line that corrects an earlier charge, that of
 * the charge; of any other line, the one that applied to its run (docs/billing.md#tax).
 * @param invoices all invoices of the account that were computed up to the explained one, the oldest first
 */
export function taxRateSettings(
  invoices: readonly Pick<ComputedInvoice, 'inputs' | 'lines'>[],
  { organization, customer, isRecounted }: Sources,
): ReadonlyMap<InvoiceLine, SettingRead> {
  const keys = new Set(invoices.at(-1)?.lines.map(({ chargeKey }) => chargeKey));
  const found = new Map<InvoiceLine, SettingRead>();
  /** The setting that a charge was taxed with last, by charge key and rate. */
  const known = new Map<string, SettingRead>();
  for (const { inputs, lines } of invoices) {
    const charging = lines.filter(
      ({ subscriptionId, chargeKey }) => subscriptionId !== null && keys.has(chargeKey),
    );
    if (charging.length === 0) continue;
    const ofRun = taxRateSetting(
      upTo(organization, inputs.organizationRevision),
      upTo(customer, inputs.customerRevision),
    );
    for (const line of charging) {
      const rate = line.explanation.taxRate ?? null;
      const key = `${line.chargeKey} ${rate}`;
      const ofCharge = known.get(key);
      const corrects = correctsCharge(line) || isRecounted(line) || ofRun?.value !== rate;
      const setting = ofCharge && corrects ? ofCharge : ofRun;
      if (!setting) continue;
      known.set(key, setting);
      found.set(line, setting);
    }
  }
  return found;
}

const upTo = (events: readonly RecordedEvent[], revision: string): readonly RecordedEvent[] =>
  events.filter((event) => event.revision <= BigInt(revision));

/** Tells whether a line changes a charge, if there is one: a fee, a reversal, or a corrected price adjustment. */
function correctsCharge(line: InvoiceLine): boolean {
  const base = BigInt(line.base.amount);
  const isCorrection = base === 0n && sumOfAdjustments('plan_adjustment', line) !== 0n;
  return line.explanation.rule === 'recurring_charge' || base < 0n || isCorrection;
}
