import { money, type StoredMoney, toStored } from '../../../kernel/money.js';
import { add, exactText, type Quantity, readExactText, subtract, ZERO } from '../../../kernel/quantity.js';
import type {
  ChargedAmount,
  ChargeSnapshot,
  ClosedUsagePeriod,
  InvoiceLine,
  PeriodCount,
} from './event-data.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';

/** The parts of a charge key. */
interface ChargeKeyParts {
  /** The subscription that is charged, or the add-on on it: the keys of a settled term are found by it. */
  readonly owner: Uuid;
  /** Start of the billing period: a price adjustment is given once for all keys of one period. */
  readonly periodStart: Instant;
  /** The charge or component, as `sourceKey` writes it. */
  readonly source: string;
  /** Start of the reset window. */
  readonly windowStart: Instant;
}

/** The charge or component that a key names: the index of a recurring charge, or the metric of a component. */
type KeySource = { readonly kind: 'charge' | 'prepaid' | 'usage'; readonly name: string };

const SOURCE = /^[^/]+\/[^/]+\/(charge|prepaid|usage)\.([^/]+)\//;

/**
 * Names what a line charges: `{owner}/{periodStart}/{source}/{windowStart}`. A run bills, per key, what should be
 * charged − what was charged. Lines that settle an invoice have a key of their own, which names a credit or an invoice.
 * Events and maps hold the text; this class alone takes it apart.
 */
export class ChargeKey {
  /** Key of the line for all credits that an invoice draws. */
  static readonly DRAWN_CREDITS = new ChargeKey('credits');

  private constructor(readonly text: string) {}

  static of({ owner, periodStart, source, windowStart }: ChargeKeyParts): ChargeKey {
    return new ChargeKey(`${owner}/${periodStart}/${source}/${windowStart}`);
  }

  /** Key of a line that grants or sells a credit. */
  static ofCredit(creditId: Uuid): ChargeKey {
    return new ChargeKey(`credits/${creditId}`);
  }

  /** Key of a line that reduces another invoice. */
  static ofReducedInvoice(invoiceId: Uuid): ChargeKey {
    return new ChargeKey(`invoices/${invoiceId}`);
  }

  static parse(text: string): ChargeKey {
    return new ChargeKey(text);
  }

  get owner(): Uuid {
    return this.text.slice(0, this.text.indexOf('/'));
  }

  /** Text that all keys of the same owner and billing period begin with, and no others. */
  get periodPrefix(): string {
    return this.text.slice(0, this.text.indexOf('/', this.text.indexOf('/') + 1) + 1);
  }

  /** Null for a line that settles an invoice. */
  get source(): KeySource | null {
    const [, kind, name] = SOURCE.exec(this.text) ?? [];
    return kind ? { kind: kind as KeySource['kind'], name: name! } : null;
  }

  /** The credit or invoice that a settling line names. */
  get creditOrInvoiceId(): Uuid {
    return this.text.slice(this.text.indexOf('/') + 1);
  }
}

/** The part of a charge that has one tax rate, in minor units of the account's currency. */
export interface TaxedPart {
  /** Percent; null: no tax. */
  readonly taxRate: string | null;
  readonly base: bigint;
  /** Price adjustments, without tax. */
  readonly adjustments: bigint;
  readonly tax: bigint;
  /** Base of voided invoices, which is charged again with this rate. */
  readonly voidedBase: bigint;
}

type Taxed = Omit<TaxedPart, 'voidedBase'>;

/** Adds an amount. A reversal reduces the newest part of its rate; a voided amount returns to its part. */
export function withTaxedAmount(parts: readonly TaxedPart[], charged: Taxed): readonly TaxedPart[] {
  const index = indexOfPart(parts, charged);
  if (index < 0) return [...parts, { voidedBase: 0n, ...charged }];
  return parts.map((part, at) => (at === index ? plus(part, charged) : part));
}

function indexOfPart(parts: readonly TaxedPart[], { taxRate, base }: Taxed): number {
  const isOfRate = (part: TaxedPart) => part.taxRate === taxRate;
  if (base < 0n) return parts.findLastIndex(isOfRate);
  const voided = parts.findIndex((part) => isOfRate(part) && part.voidedBase > 0n);
  if (voided >= 0) return voided;
  const newest = parts.length - 1;
  return newest >= 0 && isOfRate(parts[newest]!) ? newest : -1;
}

/** Subtracts a voided amount. @param taxRate undefined in older events: the newest part */
export function withoutVoidedAmount(
  parts: readonly TaxedPart[],
  { taxRate, base, adjustments, tax }: Omit<Taxed, 'taxRate'> & { readonly taxRate?: string | null },
): readonly TaxedPart[] {
  const isOfRate = (part: TaxedPart) => taxRate === undefined || part.taxRate === taxRate;
  const whole = parts.findLastIndex((part) => isOfRate(part) && part.base >= base);
  const index = whole >= 0 ? whole : parts.findLastIndex(isOfRate);
  const back = { base: -base, adjustments: -adjustments, tax: -tax };
  return parts.map((part, at) =>
    at === index ? { ...plus(part, back), voidedBase: part.voidedBase + (base > 0n ? base : 0n) } : part,
  );
}

/** Clears the marks of voided amounts, once they are charged again. */
export const withoutVoidedMarks = (parts: readonly TaxedPart[]): readonly TaxedPart[] =>
  parts.map((part) => ({ ...part, voidedBase: 0n }));

const plus = (part: TaxedPart, more: Omit<Taxed, 'taxRate'>): TaxedPart => ({
  ...part,
  base: part.base + more.base,
  adjustments: part.adjustments + more.adjustments,
  tax: part.tax + more.tax,
});

/** The sums that invoices have charged under one charge key so far, in minor units of the account's currency. */
export interface BilledCharge {
  readonly base: bigint;
  /** Price adjustments, without tax. */
  readonly adjustments: bigint;
  readonly tax: bigint;
  /** Percent that the newest of its parts is taxed with; null: no tax. */
  readonly taxRate: string | null;
  /** The sums by the tax rate they were charged with, the oldest first; never empty. */
  readonly parts: readonly TaxedPart[];
  /** The count that the newest of its lines was rated from. */
  readonly count: PeriodCount | null;
  /** Usage counted by voided invoices and not yet charged again, exact; null: none. */
  readonly voidedQuantity: string | null;
}

type Charges = ReadonlyMap<string, BilledCharge>;
type Counts = ReadonlyMap<string, PeriodCount>;

/** The part of a closed usage period that the account keeps. */
export const countOfPeriod = (period: ClosedUsagePeriod): PeriodCount => ({
  closeId: period.closeId,
  window: period.window,
  quantity: period.quantity,
  eventCount: period.eventCount,
  digest: period.digest,
  sealedUpTo: period.sealedUpTo,
  isRecount: period.supersedes !== null,
  ...(period.level && { level: { reached: period.level.reached, absentValues: period.absentValues } }),
});

/** Adds the lines of an invoice. @param counts the counts so far, with those of the invoice's run */
export function withInvoiceLines(charges: Charges, lines: readonly InvoiceLine[], counts: Counts): Charges {
  const after = new Map(charges);
  for (const line of lines) {
    if (line.subscriptionId === null) continue;
    after.set(line.chargeKey, withLine(after.get(line.chargeKey), line, counts));
  }
  // Clear the voided mark after all lines: one invoice may recharge a key in several lines.
  for (const { chargeKey } of lines) {
    const charge = after.get(chargeKey);
    if (charge) after.set(chargeKey, { ...charge, parts: withoutVoidedMarks(charge.parts) });
  }
  return after;
}

function withLine(before: BilledCharge | undefined, line: InvoiceLine, counts: Counts): BilledCharge {
  const charged = {
    taxRate: line.explanation.taxRate ?? null,
    base: BigInt(line.base.amount),
    adjustments: sumOfAdjustments('plan_adjustment', line),
    tax: sumOfAdjustments('sales_tax', line),
  };
  const parts = withTaxedAmount(before?.parts ?? [], charged);
  // A base of 0 with an adjustment corrects the adjustment of what was counted before, and charges no count.
  const isCorrection = charged.base === 0n && charged.adjustments !== 0n;
  const counted = line.explanation.closeId !== undefined && !isCorrection;
  return {
    base: (before?.base ?? 0n) + charged.base,
    adjustments: (before?.adjustments ?? 0n) + charged.adjustments,
    tax: (before?.tax ?? 0n) + charged.tax,
    taxRate: parts.at(-1)!.taxRate,
    parts,
    count: (counted ? counts.get(line.chargeKey) : before?.count) ?? null,
    voidedQuantity: null,
  };
}

export const sumOfAdjustments = (
  type: InvoiceLine['adjustments'][number]['type'],
  { adjustments }: InvoiceLine,
): bigint => adjustments.reduce((sum, a) => (a.type === type ? sum + BigInt(a.amount.amount) : sum), 0n);

/** Subtracts the charges of a voided invoice: they are owed again. */
export function withoutVoidedCharges(charges: Charges, voided: readonly ChargedAmount[]): Charges {
  const after = new Map(charges);
  for (const { chargeKey, taxRate, quantity, ...amounts } of voided) {
    const before = after.get(chargeKey)!;
    const counted = before.voidedQuantity === null ? quantity : sumOf(before.voidedQuantity, quantity);
    const taken = sumsOf(amounts);
    after.set(chargeKey, {
      ...before,
      base: before.base - taken.base,
      adjustments: before.adjustments - taken.adjustments,
      tax: before.tax - taken.tax,
      parts: withoutVoidedAmount(before.parts, { taxRate, ...taken }),
      voidedQuantity: counted,
    });
  }
  return after;
}

/** The quantity of a window's usage that is charged. */
export const chargedQuantity = (billed: BilledCharge | undefined): Quantity =>
  billed?.count
    ? subtract(readExactText(billed.count.quantity), readExactText(billed.voidedQuantity ?? '0'))
    : ZERO;

const sumOf = (a: string, b: string): string => exactText(add(readExactText(a), readExactText(b)));

/** Converts a charge to its form in a snapshot. */
export function snapshotOfCharge(chargeKey: string, charge: BilledCharge, currency: string): ChargeSnapshot {
  const stored = ({ base, adjustments, tax }: Sums) => ({
    base: storedOf(base, currency),
    adjustments: storedOf(adjustments, currency),
    tax: storedOf(tax, currency),
  });
  const { taxRate, count: close, voidedQuantity, parts } = charge;
  const isPlain = parts.length === 1 && parts[0]!.voidedBase === 0n;
  return {
    chargeKey,
    taxRate,
    close,
    voided: voidedQuantity,
    ...stored(charge),
    ...(!isPlain && {
      parts: parts.map((part) => ({
        taxRate: part.taxRate,
        ...stored(part),
        voided: storedOf(part.voidedBase, currency),
      })),
    }),
  };
}

export function chargeFromSnapshot({
  taxRate,
  close,
  voided,
  parts,
  ...amounts
}: Omit<ChargeSnapshot, 'chargeKey'>): BilledCharge {
  const sums = sumsOf(amounts);
  const known = parts?.map((part) => ({
    taxRate: part.taxRate,
    ...sumsOf(part),
    voidedBase: BigInt(part.voided.amount),
  }));
  return {
    taxRate,
    count: close,
    voidedQuantity: voided,
    ...sums,
    parts: known ?? [{ taxRate, ...sums, voidedBase: 0n }],
  };
}

type Sums = Pick<BilledCharge, 'base' | 'adjustments' | 'tax'>;

const storedOf = (minor: bigint, currency: string): StoredMoney => toStored(money(minor, currency));

const sumsOf = ({ base, adjustments, tax }: Record<keyof Sums, StoredMoney>): Sums => ({
  base: BigInt(base.amount),
  adjustments: BigInt(adjustments.amount),
  tax: BigInt(tax.amount),
});
