import type { ComputedInvoice, CreditGrant } from '../../src/billing/accounts/domain/event-data.js';
import { grantsOf } from '../../src/billing/accounts/domain/account-credits.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { toMicros, type Instant } from '../../src/kernel/instant.js';
import type { StoredMoney } from '../../src/kernel/money.js';

/** Sums by the key columns of a view's row, joined with blanks. */
export type Sums = Map<string, Record<string, number>>;

interface Invoice {
  readonly data: ComputedInvoice;
  due: bigint;
  issuedAt?: Instant;
  isVoided?: boolean;
}

interface Credit {
  readonly grant: CreditGrant;
  remaining: bigint;
  expiresAt: Instant | null;
  voided?: { readonly at: Instant; readonly amount: bigint };
  readonly drawn: Map<string, { readonly at: Instant; readonly amount: bigint }>;
}

/** Fields of the events that change an invoice or a credit. */
interface Changed {
  readonly invoiceId: string;
  readonly creditId: string;
  readonly amount: StoredMoney;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant | null;
  readonly voidedAt: Instant;
}

const CHARGES = ['recurring_charge', 'prepaid_units', 'usage'];
const DAY = 86_400_000_000n;

/** First day of the month, UTC. */
const monthOf = (at: Instant): string => `${at.slice(0, 7)}-01`;
const major = (minor: bigint, { scale }: StoredMoney): number => Number(minor) / 10 ** scale;

function added(sums: Sums, key: string, amounts: Readonly<Record<string, number>>): void {
  const row = sums.get(key) ?? {};
  for (const [name, amount] of Object.entries(amounts)) {
    // Amounts have at most three decimals, so a sum of doubles is rounded to three.
    row[name] = Math.round(((row[name] ?? 0) + amount) * 1000) / 1000;
  }
  sums.set(key, row);
}

/** Folds a log to the invoices, each with its open amount, and the credits. */
export function accountsOf(events: readonly RecordedEvent[]): {
  readonly invoices: ReadonlyMap<string, Invoice>;
  readonly credits: ReadonlyMap<string, Credit>;
} {
  const invoices = new Map<string, Invoice>();
  const credits = new Map<string, Credit>();
  const grant = (given: CreditGrant): void =>
    void credits.set(given.creditId, {
      grant: given,
      remaining: BigInt(given.amount.amount),
      expiresAt: given.expiresAt,
      drawn: new Map(),
    });
  for (const { type, data } of events) {
    const changed = data as Changed;
    if (type === 'InvoiceComputed') {
      const computed = data as ComputedInvoice;
      invoices.set(computed.invoiceId, { data: computed, due: BigInt(computed.costDue.amount) });
      for (const { invoiceId, amount } of computed.reductions)
        invoices.get(invoiceId)!.due -= BigInt(amount.amount);
      for (const { creditId, amount } of computed.drawdowns) {
        const credit = credits.get(creditId)!;
        credit.remaining -= BigInt(amount.amount);
        credit.drawn.set(computed.invoiceId, { at: computed.issuedAt, amount: BigInt(amount.amount) });
      }
      for (const given of grantsOf(computed)) grant(given);
    }
    if (type === 'InvoiceIssued') invoices.get(changed.invoiceId)!.issuedAt = changed.issuedAt;
    if (type === 'InvoicePaid') invoices.get(changed.invoiceId)!.due -= BigInt(changed.amount.amount);
    if (type === 'InvoiceVoided') {
      Object.assign(invoices.get(changed.invoiceId)!, { due: 0n, isVoided: true });
      for (const { creditId, amount } of (data as ComputedInvoice).drawdowns) {
        const credit = credits.get(creditId)!;
        credit.remaining += BigInt(amount.amount);
        credit.drawn.delete(changed.invoiceId);
      }
    }
    if (type === 'CreditGranted') grant(data as CreditGrant);
    if (type === 'CreditExpiryChanged') credits.get(changed.creditId)!.expiresAt = changed.expiresAt;
    if (type === 'CreditVoided') {
      const amount = BigInt(changed.amount.amount);
      const credit = credits.get(changed.creditId)!;
      credit.remaining -= amount;
      credit.voided = { at: changed.voidedAt, amount };
    }
  }
  return { invoices, credits };
}

/** Sums issued, unvoided invoices by month, currency, rule and plan: lines, net, tax and amount. */
export function invoicedByMonth(invoices: Iterable<Invoice>): Sums {
  const sums: Sums = new Map();
  for (const { data, issuedAt, isVoided } of invoices) {
    if (!issuedAt || isVoided) continue;
    for (const { explanation, plan, subtotal, amount } of data.lines) {
      const [net, gross] = [BigInt(subtotal.amount), BigInt(amount.amount)];
      added(sums, `${monthOf(issuedAt)} ${data.currency} ${explanation.rule} ${plan?.name ?? null}`, {
        lines: 1,
        net: major(net, subtotal),
        tax: major(gross - net, subtotal),
        amount: major(gross, amount),
      });
    }
  }
  return sums;
}

/** Sums charges before tax by month, currency and plan. */
export function revenueByMonth(invoices: Iterable<Invoice>): Sums {
  const sums: Sums = new Map();
  for (const { data, issuedAt, isVoided } of invoices) {
    if (!issuedAt || isVoided) continue;
    for (const { explanation, plan, subtotal } of data.lines) {
      if (!CHARGES.includes(explanation.rule)) continue;
      added(sums, `${monthOf(issuedAt)} ${data.currency} ${plan?.name ?? null}`, {
        revenue: major(BigInt(subtotal.amount), subtotal),
      });
    }
  }
  return sums;
}

/** Sums open amounts by customer and currency, in buckets of whole days since they were due. */
export function receivablesAgeing(invoices: Iterable<Invoice>, now: Instant): Sums {
  const sums: Sums = new Map();
  for (const { data, issuedAt, due } of invoices) {
    if (!issuedAt || due <= 0n) continue;
    const late = toMicros(now) - toMicros(data.dueAt ?? issuedAt);
    const days = late / DAY;
    const bucket =
      late < 0n
        ? 'not_due'
        : days <= 30n
          ? 'days_0_30'
          : days <= 60n
            ? 'days_31_60'
            : days <= 90n
              ? 'days_61_90'
              : 'days_over_90';
    const open = major(due, data.costDue);
    const none = { not_due: 0, days_0_30: 0, days_31_60: 0, days_61_90: 0, days_over_90: 0 };
    added(sums, `${data.customerKey} ${data.currency}`, { ...none, [bucket]: open, total: open });
  }
  return sums;
}

/** Sums the changes of credits by month and currency. */
export function creditLiability(credits: Iterable<Credit>, now: Instant): Sums {
  const sums: Sums = new Map();
  for (const { grant, remaining, expiresAt, voided, drawn } of credits) {
    const change = (at: Instant, name: string, minor: bigint): void =>
      added(sums, `${monthOf(at)} ${grant.currency}`, {
        granted: 0,
        sold: 0,
        drawn: 0,
        voided: 0,
        expired: 0,
        [name]: major(minor, grant.amount),
      });
    change(grant.grantedAt, 'granted', BigInt(grant.amount.amount));
    if (grant.purchase && grant.purchase.amountPaid.amount !== '0')
      change(grant.grantedAt, 'sold', BigInt(grant.amount.amount));
    for (const { at, amount } of drawn.values()) change(at, 'drawn', -amount);
    if (voided) change(voided.at, 'voided', -voided.amount);
    if (expiresAt && toMicros(expiresAt) <= toMicros(now)) change(expiresAt, 'expired', -remaining);
  }
  return sums;
}
