import { DomainError } from '../../kernel/errors.js';
import {
  addMoney,
  isNegativeMoney,
  isZeroMoney,
  minorOf,
  minorUnits,
  type Money,
  toDecimal,
  toStored,
  zero,
} from '../../kernel/money.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { ascending } from '../../kernel/ids.js';
import { type ChargeSource, sourceName } from '../../pricing/price-content.js';
import type { DraftLine } from './draft-lines.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import { type Instant, plusMicros } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { toDecimalText } from '../../kernel/quantity.js';
import { localDateText } from '../../kernel/zone.js';
import type { InvoiceLine, LineAdjustment } from '../accounts/domain/event-data.js';
import { priceAdjustments } from './adjustments.js';
import type { RunAddon, RunData } from './run.js';
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
  const subtotals = drafts.map(({ base }, index) => addMoney(base, adjustments[index]!));
  const rates = drafts.map(({ taxRate }) => taxRate);
  const taxShares = taxesOf(drafts, subtotals, rates, { currency, policy });
  const datesOf = localDates();
  return drafts.map((draft, index): PricedLine => {
    const { runTerm, item, covered, quantity, base, explanation, isLate } = draft;
    const { term, planName, versionNumber } = runTerm;
    const { planId, versionId, zone } = term.basis;
    const [adjustment, tax, rate] = [adjustments[index]!, taxShares[index]!, rates[index]!];
    const amount = addMoney(subtotals[index]!, tax);
    const dates = datesOf(covered, zone);
    for (const part of [base, subtotals[index]!, amount]) requireWithinAmountLimits(part, currency);
    // The keys are in canonical (sorted) order because the object is hashed; `taxRate` sorts last in `explanation`.
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
  addonId,
  addonSubscriptionId,
  addonVersionId,
  name,
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

/**
 * Orders lines as an invoice shows them (docs/billing.md#line-order): by the start of the term, then by index in the plan,
 * add-ons last, then by name. Ties are decided by what lines show and never by an id, as a preview makes other ids than
 * the run. Lines of one window stay adjacent.
 */
export function inLineOrder(drafts: readonly (readonly DraftLine[])[], policy: string): readonly DraftLine[] {
  const lines = drafts.flat();
  const { lineOrder, ordersByAllNames } = pricingPolicyOf(policy).invoice;
  const isInOrder = drafts.length < 2 && lines.every(({ correction }) => !correction);
  if (lineOrder === 'by_term_id' || isInOrder) return lines;
  const inOrder = ordersByAllNames ? byAllNames : byIndexAndName;
  return byWindow(lines)
    .map((window) => ({ window, key: keyOf(window) }))
    .sort((a, b) => inOrder(a.key, b.key))
    .flatMap(({ window }) => window);
}

type LinesOfWindow = [DraftLine, ...DraftLine[]];

function byWindow(lines: readonly DraftLine[]): LinesOfWindow[] {
  const windows: LinesOfWindow[] = [];
  for (const line of lines) {
    const last = windows.at(-1);
    if (last && last[0].item === line.item) last.push(line);
    else windows.push([line]);
  }
  return windows;
}

type SortKey = ReturnType<typeof keyOf>;

/** Returns by what a window is ordered, computed once: a run over hundreds of terms compares each many times. */
const keyOf = ([{ runTerm, item, covered, base }]: LinesOfWindow) => ({
  start: runTerm.term.start,
  isAddon: Number(runTerm.addon !== undefined),
  order: orderOf(item.source),
  source: sourceName(item.source),
  name: runTerm.addon?.name ?? runTerm.planName,
  plan: runTerm.planName,
  versionNumber: runTerm.versionNumber,
  filters: canonicalJson(runTerm.term.filters),
  covered,
  base: minorOf(base),
  prices: runTerm.contentHash,
  firstStart: runTerm.term.basis.ownStart ?? runTerm.term.basis.anchor.firstStart,
});

const byAllNames = (a: SortKey, b: SortKey): number =>
  byName(a, b) ||
  ascending(a.plan, b.plan) ||
  byVersion(a, b) ||
  ascending(a.prices, b.prices) ||
  ascending(a.firstStart, b.firstStart);

const byIndexAndName = (a: SortKey, b: SortKey): number => byName(a, b) || byVersion(a, b);

const byName = (a: SortKey, b: SortKey): number =>
  ascending(a.start, b.start) ||
  a.isAddon - b.isAddon ||
  a.order - b.order ||
  ascending(a.source, b.source) ||
  ascending(a.name, b.name);

const byVersion = (a: SortKey, b: SortKey): number =>
  a.versionNumber - b.versionNumber ||
  ascending(a.filters, b.filters) ||
  ascending(a.covered.start, b.covered.start) ||
  ascending(a.covered.end, b.covered.end) ||
  ascending(b.base, a.base);

/** Fees first, then components, each with its prepaid units first: the order of `sourcesOf`. */
const orderOf = (source: ChargeSource): number =>
  source.kind === 'recurring'
    ? source.index
    : MAX_RECURRING_CHARGES + 2 * source.index + Number(source.kind === 'usage');

/** Exceeds the number of recurring charges that a version can have. */
const MAX_RECURRING_CHARGES = 1_000_000;

const BOUND = 10_000_000_000n;
/** The limit in minor units, by the number of decimals of the currency. */
const BOUNDS = [0, 1, 2, 3, 4].map((decimals) => BOUND * 10n ** BigInt(decimals));

/**
 * Requires an amount of an invoice or line strictly between −10^10 and 10^10 (docs/contract.md#limits). A run with an amount
 * outside is refused and parked; amounts are never cut.
 * @throws DomainError `amount_out_of_range`
 */
export function requireWithinAmountLimits(amount: Money, currency: string): void {
  const bound = BOUNDS[minorUnits(currency)]!;
  const minor = minorOf(amount);
  if (minor < bound && minor > -bound) return;
  throw new DomainError(
    'amount_out_of_range',
    `An amount of ${toDecimal(amount)} ${currency} cannot be invoiced. The limit is 10,000,000,000. Check prices and usage.`,
  );
}
