import {
  addMoney,
  fromStored,
  isNegativeMoney,
  isZeroMoney,
  sumMoney,
  toDecimal,
  type Money,
} from '../../kernel/money.js';
import { multiply, quantity, readExactText, toDecimalText } from '../../kernel/quantity.js';
import type { PriceContent } from '../../pricing/price-content.js';
import { ChargeKey } from '../accounts/domain/account-charges.js';
import type { InvoiceLine } from '../accounts/domain/event-data.js';
import { pricedTiers, type PricedTier } from './priced-tiers.js';
import type { Word, Wording } from './words.js';

export interface DocumentRow {
  readonly name: string;
  /** Plan, filters, days, and how the price is calculated. */
  readonly notes: readonly string[];
  /** Empty where the line has none. */
  readonly quantity: string;
  readonly unitPrice: string;
  readonly tax: string;
  readonly amount: string;
  /** Parts of the row, one for each tier of its price. */
  readonly tiers: readonly Pick<DocumentRow, 'name' | 'quantity' | 'unitPrice' | 'amount'>[];
}

/** Price contents by the id of the version of a plan or an add-on. */
export type Prices = ReadonlyMap<string, PriceContent>;

/** Lines that say what a customer bought. Lines that settle the invoice with credits stand with the totals. */
export const isSold = ({ adjustments }: InvoiceLine): boolean =>
  adjustments.every(({ type }) => type !== 'credit');

/**
 * Yields the rows of the table, one per line; a fee that is reversed in part is one row with the part that is kept. A row
 * of many tiers takes long, so each is made when it is written.
 */
export function* documentRows(
  lines: readonly InvoiceLine[],
  prices: Prices,
  words: Wording,
): Generator<DocumentRow, void> {
  const sold = lines.filter(isSold);
  const kept = new Map(sold.flatMap((line) => keptOf(line, sold)));
  const merged = new Set(kept.values());
  for (const line of sold) {
    if (merged.has(line)) continue;
    const rest = kept.get(line);
    yield rest ? unusedRow(line, rest, words) : rowOf(line, prices, words);
  }
}

/** Finds the line that charges the kept part of a fee beside the line that reverses the whole fee. */
function keptOf(line: InvoiceLine, sold: readonly InvoiceLine[]): [InvoiceLine, InvoiceLine][] {
  if (!isReversal(line) || line.explanation.rule !== 'recurring_charge') return [];
  const beside = sold.filter(
    (other) =>
      other.chargeKey === line.chargeKey &&
      !isReversal(other) &&
      other.period.start === line.period.start &&
      other.period.end < line.period.end &&
      other.explanation.taxRate === line.explanation.taxRate,
  );
  return beside.length === 1 ? [[line, beside[0]!]] : [];
}

const isReversal = ({ base }: InvoiceLine): boolean => isNegativeMoney(fromStored(base));

/** Returns the unused time of a fee: the reversed period without the kept one. */
function unusedRow(line: InvoiceLine, kept: InvoiceLine, words: Wording): DocumentRow {
  const first = firstUnusedDay(line, kept);
  return {
    name: nameOf(line, words),
    notes: [
      words.word('unusedTime', { period: words.days(first, line.localDates.last) }),
      planOf(line),
    ].filter((note) => note !== ''),
    quantity: '',
    unitPrice: '',
    tax: taxOf(line, words),
    amount: words.amount(toDecimal(addMoney(fromStored(line.subtotal), fromStored(kept.subtotal)))),
    tiers: [],
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the day after the last kept day; a cut within a day leaves the rest of that day unused. */
function firstUnusedDay(line: InvoiceLine, kept: InvoiceLine): string {
  const lastKept = Date.parse(kept.localDates.last);
  const days = Date.parse(line.localDates.last) - lastKept;
  // After a cut at midnight whole days follow, of which a change of the clocks makes one an hour longer or shorter.
  const rest = Date.parse(line.period.end) - Date.parse(kept.period.end) - days;
  const isAtMidnight = days > 0 && (rest <= 0 || rest === HOUR_MS);
  return new Date(isAtMidnight ? lastKept + DAY_MS : lastKept).toISOString().slice(0, 10);
}

function rowOf(line: InvoiceLine, prices: Prices, words: Wording): DocumentRow {
  const tiers = tiersOf(line, prices);
  const [only] = tiers;
  const single = tiers.length === 1 && only!.type === 'per_unit' ? only : undefined;
  return {
    name: nameOf(line, words),
    notes: notesOf(line, words),
    quantity: line.quantity === null || isReversal(line) ? '' : words.number(line.quantity),
    unitPrice: single ? priceOf(single, line, words) : chargeOf(line, prices, words),
    tax: taxOf(line, words),
    amount: words.amount(toDecimal(fromStored(line.subtotal))),
    tiers: single ? [] : tiers.map((tier) => tierRow(tier, line, words)),
  };
}

const LATE_USAGE = / \(late usage, \d{4}-\d{2}-\d{2}(?: to \d{4}-\d{2}-\d{2})?\)$/;
const PREPAID = / \(prepaid\)$/;

/** Returns the name with the words of the engine in the language of the document; its days are in the notes. */
function nameOf({ name, chargeKey, explanation }: InvoiceLine, words: Wording): string {
  const translated = (engine: RegExp, word: Word) => name.replace(engine, () => ` (${words.word(word)})`);
  if (explanation.rule === 'credit_purchase') return words.word('creditPurchase');
  switch (ChargeKey.parse(chargeKey).source?.kind) {
    case 'usage':
      return translated(LATE_USAGE, 'lateUsage');
    case 'prepaid':
      return translated(PREPAID, 'prepaid');
    default:
      return name;
  }
}

function notesOf(line: InvoiceLine, words: Wording): string[] {
  const { first, last } = line.localDates;
  const period = words.days(first, last);
  const { fraction } = line.explanation;
  const adjustment = adjusted(line, 'plan_adjustment');
  const share = fraction && !isReversal(line) ? shareOf(fraction) : '100';
  return [
    reversalNote(line, period, words) ?? period,
    planOf(line),
    ...(share === '100' ? [] : [words.word('partOf', { share: words.percent(share) })]),
    ...(isZeroMoney(adjustment)
      ? []
      : [words.word('adjustment', { amount: words.amount(toDecimal(adjustment)) })]),
  ].filter((note) => note !== '');
}

function reversalNote(line: InvoiceLine, period: string, words: Wording): string | undefined {
  if (!isReversal(line)) return undefined;
  const { rule, closeId } = line.explanation;
  if (rule === 'recurring_charge') return words.word('unusedTime', { period });
  if (rule === 'prepaid_units') return words.word('unusedUnits', { period });
  return words.word(closeId === undefined ? 'movedUsage' : 'correctedUsage', { period });
}

/** @param fraction `n/d` */
const shareOf = (fraction: string): string =>
  toDecimalText(multiply(readExactText(fraction), quantity('100')), 2);

export function planOf({ plan, addon, filters }: InvoiceLine): string {
  const version = plan && plan.version > 0 ? ` v${plan.version}` : '';
  const filtered = (filters ?? []).map(({ propertyName, value }) => `${propertyName} = ${value}`);
  return [...(plan ? [plan.name + version] : []), ...(addon ? [addon.name] : []), ...filtered].join(' · ');
}

const contentOf = ({ addon, plan }: InvoiceLine, prices: Prices): PriceContent | undefined =>
  prices.get(addon?.addonVersionId ?? plan?.versionId ?? '');

function tiersOf(line: InvoiceLine, prices: Prices): readonly PricedTier[] {
  const source = ChargeKey.parse(line.chargeKey).source;
  const content = contentOf(line, prices);
  if (!content || !source || source.kind === 'charge' || line.quantity === null || isReversal(line))
    return [];
  const component = content.components.find(({ metricId }) => metricId === source.name);
  const base = fromStored(line.base);
  return (component && pricedTiers(component, line.quantity, base, content.currency)) ?? [];
}

/** Formats the price of a recurring charge. */
function chargeOf(line: InvoiceLine, prices: Prices, words: Wording): string {
  const source = ChargeKey.parse(line.chargeKey).source;
  if (source?.kind !== 'charge' || isReversal(line)) return '';
  const charge = contentOf(line, prices)?.recurringCharges[Number(source.name)];
  return charge ? priceText(charge.amount, line, words) : '';
}

/** Formats a price with all its digits, at least as many as its currency has. */
function priceText(price: string, { base }: InvoiceLine, words: Wording): string {
  const decimals = (/\.(\d+)$/.exec(toDecimal(fromStored(base)))?.[1] ?? '').length;
  return words.number(price, decimals);
}

function priceOf({ price, batch }: PricedTier, line: InvoiceLine, words: Wording): string {
  const shown = priceText(price, line, words);
  return batch === '1' ? shown : words.word('per', { price: shown, units: words.number(batch) });
}

function tierRow(tier: PricedTier, line: InvoiceLine, words: Wording): DocumentRow['tiers'][number] {
  const { type, start, end } = tier;
  const range =
    end === null || start !== '0'
      ? [start === '0' ? '' : words.word('above', { start: words.number(start) })]
      : [];
  const upTo = end === null ? [] : [words.word('upTo', { end: words.number(end) })];
  const name = [...range, ...upTo].filter((part) => part !== '').join(', ');
  const kind = type === 'flat' ? words.word('flat') : type === 'free' ? words.word('free') : '';
  return {
    name: [kind, name].filter((part) => part !== '').join(' · '),
    quantity: type === 'flat' ? '' : words.number(tier.quantity),
    unitPrice: type === 'per_unit' ? priceOf(tier, line, words) : '',
    amount: priceText(tier.amount, line, words),
  };
}

const taxOf = ({ explanation }: InvoiceLine, words: Wording): string =>
  explanation.taxRate === undefined ? '' : words.percent(explanation.taxRate);

export const adjusted = (line: InvoiceLine, kind: 'sales_tax' | 'plan_adjustment' | 'credit'): Money =>
  line.adjustments
    .filter(({ type }) => type === kind)
    .map(({ amount }) => fromStored(amount))
    .reduce(addMoney, sumMoney(line.base.currency, []));
