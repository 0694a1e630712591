import { add, isNegativeMoney, isZeroMoney, toStored, zero, type Money } from '../../kernel/money.js';
import { plusMicros, type Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { toDecimalText } from '../../kernel/quantity.js';
import { localDateText } from '../../kernel/zone.js';
import type { InvoiceLine, LineAdjustment } from '../accounts/domain/event-data.js';
import { priceAdjustments } from './adjustments.js';
import { requireWithinAmountLimits } from '../../pricing/amount-limits.js';
import type { DraftLine } from './draft-lines.js';
import type { RunAddon, RunData } from './run.js';
import { sourceName, type ChargeSource } from '../../pricing/charge-sources.js';
import { reversedTax, taxesByRate } from './tax.js';

/** Ledger accounts of adjustments, as the API shows them. */
const PLAN_ADJUSTMENTS = '21000';
const SALES_TAX = '41100';

export interface PricedLine {
  readonly line: InvoiceLine;
  readonly amount: Money;
}

/** Adds price adjustment and tax to draft lines; a line is the sum of three rounded amounts (docs/billing.md#price-adjustments). */
export function invoiceLines(
  drafts: readonly DraftLine[],
  { account, currency, policy }: Pick<RunData, 'account' | 'currency' | 'policy'>,
): PricedLine[] {
  const adjustments = priceAdjustments(drafts, account, currency);
  const subtotals = drafts.map(({ base }, index) => add(base, adjustments[index]!));
  const rates = drafts.map(({ taxRate }) => taxRate);
  const taxShares = taxesOf(drafts, subtotals, rates, { currency, policy });
  const datesOf = localDates();
  return drafts.map((draft, index): PricedLine => {
    const { runTerm, item, covered, quantity, base, explanation, isLate } = draft;
    const { term, planName, versionNumber } = runTerm;
    const { planId, versionId, zone } = term.basis;
    const [adjustment, tax, rate] = [adjustments[index]!, taxShares[index]!, rates[index]!];
    const amount = add(subtotals[index]!, tax);
    const dates = datesOf(covered, zone);
    for (const part of [base, subtotals[index]!, amount]) requireWithinAmountLimits(part, currency);
    // The keys stand in canonical order, which is how they are hashed; what is assigned is the last of its own.
    const line = {
      adjustments: [
        ...adjustmentOf(adjustment, PLAN_ADJUSTMENTS, 'plan_adjustment'),
        ...adjustmentOf(tax, SALES_TAX, 'sales_tax'),
      ],
      amount: toStored(amount),
      base: toStored(base),
      billingType: item.billingType,
      chargeKey: item.chargeKey,
      explanation: rate === null ? explanation : Object.assign({}, explanation, { taxRate: rate }),
      filters: term.filters,
      localDates: dates,
      name: isLate ? lateName(item.source, dates) : sourceName(item.source),
      period: { end: covered.end, start: covered.start },
      plan: { name: planName, planId, version: versionNumber, versionId },
      quantity: toDecimalText(quantity),
      scheduledEnd: term.scheduledEnd || covered.end !== term.end,
      subscriptionId: term.subscriptionId,
      subtotal: toStored(subtotals[index]!),
    };
    return { amount, line: runTerm.addon ? { addon: addonOf(runTerm.addon), ...line } : line };
  });
}

/** A reversing line takes no part in the tax of its rate's sum: it reverses tax of its own. */
function taxesOf(
  drafts: readonly DraftLine[],
  subtotals: readonly Money[],
  rates: readonly (string | null)[],
  { currency, policy }: Pick<RunData, 'currency' | 'policy'>,
): Money[] {
  const own = drafts.map(({ reverses, reversedFrom }, index) =>
    reversedFrom && isNegativeMoney(subtotals[index]!)
      ? reversedTax(reversedFrom, subtotals[index]!, currency, policy)
      : reverses?.tax,
  );
  const charged = subtotals.map((subtotal, index) => (own[index] ? zero(currency) : subtotal));
  return taxesByRate(charged, rates, currency).map((tax, index) => own[index] ?? tax);
}

const addonOf = ({ addonId, addonSubscriptionId, addonVersionId, name }: RunAddon) => ({
  ...{ addonId, addonSubscriptionId, addonVersionId, name },
});

const adjustmentOf = (amount: Money, account: string, type: LineAdjustment['type']): LineAdjustment[] =>
  isZeroMoney(amount) ? [] : [{ account, amount: toStored(amount), type }];

/** Computes the local dates of a period's first and last instant, cached by period end: most lines share theirs. */
function localDates(): (covered: Period, zone: string) => InvoiceLine['localDates'] {
  const known = new Map<Instant, { start: Instant; zone: string; dates: InvoiceLine['localDates'] }>();
  return ({ start, end }, zone) => {
    const like = known.get(end);
    if (like?.start === start && like.zone === zone) return like.dates;
    const last = end > start ? plusMicros(end, -1n) : start;
    const dates = { first: localDateText(start, zone), last: localDateText(last, zone) };
    known.set(end, { start, zone, dates });
    return dates;
  };
}

/** Name of a line for late usage (docs/billing.md#late-usage). */
const lateName = (source: ChargeSource, { first, last }: InvoiceLine['localDates']): string =>
  `${sourceName(source)} (late usage, ${first === last ? first : `${first} to ${last}`})`;
