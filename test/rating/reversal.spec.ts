import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { DAY, instant, plusMicros, type Instant } from '../../src/kernel/instant.js';
import type { Cancellation } from '../../src/subscription/domain/term-state.js';
import { NO_TAX, WEEK, aCharge, aComponent, aContent, aTerm, perUnit } from '../support/builders/billing.js';
import { tries } from '../support/law-runs.js';
import { PureAccount } from '../support/pure-account.js';

const START = instant('2026-01-01');
const dayOf = (day: number): Instant => plusMicros(START, BigInt(day) * DAY);

/** Component with volume prices that is invoiced weekly: later usage can lower the price of billed usage. */
const cheaperByVolume = aComponent({
  volume: true,
  tiers: [perUnit('1.00', '0', '10'), perUnit('0.10', '10')],
  invoicingInterval: WEEK,
});

const subscriptions: fc.Arbitrary<Sold[]> = fc.array(
  fc.record({
    start: fc.integer({ min: 0, max: 20 }),
    fee: fc.integer({ min: 1, max: 9_999 }).map((cents) => `${cents}e-2`),
    weekly: fc.boolean(),
    behavior: fc.constantFrom('prorate' as const, 'full' as const),
    adjusted: fc.boolean(),
    cancelledAfter: fc.option(fc.integer({ min: 0, max: 25 })),
    flatFee: fc.constantFrom<Cancellation['flatFee']>(null, 'refund', 'charge_prorated', 'charge_full'),
    usage: fc.constantFrom<Cancellation['usage']>('bill_full', 'bill_none'),
    invoicing: fc.constantFrom<Cancellation['invoicing']>('invoice_now', 'add_to_next_invoice'),
  }),
  { minLength: 1, maxLength: 4 },
);
const acts = fc.array(
  fc.record({
    day: fc.integer({ min: 0, max: 70 }),
    which: fc.nat({ max: 5 }),
    act: fc.constantFrom('pay', 'pay', 'void'),
  }),
  { maxLength: 8 },
);
const uses = fc.array(
  fc.record({ day: fc.integer({ min: 0, max: 40 }), n: fc.integer({ min: 1, max: 30 }) }),
  {
    maxLength: 8,
  },
);

/** Subscription that is paid on day 1 and cancelled with `refund` on day 15: its fee becomes a credit. */
const refunded: Sold = {
  start: 0,
  fee: '3100e-2',
  weekly: false,
  behavior: 'prorate',
  adjusted: false,
  cancelledAfter: 15,
  flatFee: 'refund',
  usage: 'bill_full',
  invoicing: 'invoice_now',
};
const paid = { day: 1, which: 0, act: 'pay' as const };

const cents = (amounts: readonly string[]): bigint =>
  amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);

/** Returns the amount of all lines of subscriptions on invoices that are not voided. */
function chargedIn(log: readonly AccountEvent[]): bigint {
  const voided = new Set(log.flatMap((it) => (it.type === 'InvoiceVoided' ? [it.data.invoiceId] : [])));
  const notVoided = log.flatMap((it) =>
    it.type === 'InvoiceComputed' && !voided.has(it.data.invoiceId) ? [it.data] : [],
  );
  return cents(
    notVoided.flatMap(({ lines }) => lines.flatMap((it) => (it.subscriptionId ? [it.amount.amount] : []))),
  );
}

/** Returns the amount by which negative totals reduced the given invoices. */
const takenOff = (log: readonly AccountEvent[], of: readonly Uuid[]): bigint =>
  cents(
    log
      .flatMap((it) => (it.type === 'InvoiceComputed' ? it.data.reductions : []))
      .flatMap(({ invoiceId, amount }) => (of.includes(invoiceId) ? [amount.amount] : [])),
  );

/**
 * Returns the reductions of voided invoices. They become credits without a payment, for the charges that
 * replace the voided ones.
 */
const returnedBy = (log: readonly AccountEvent[]): bigint =>
  takenOff(
    log,
    log.flatMap((it) => (it.type === 'InvoiceVoided' ? [it.data.invoiceId] : [])),
  );

describe('an amount credited back', () => {
  it('law: never becomes a credit of more than was paid; a void restores what it reduced, and no amount is lost', () => {
    let granted = 0;
    fc.assert(
      fc.property(subscriptions, acts, uses, fc.constantFrom(null, '19'), (sold, done, used, taxRate) => {
        const book = new PureAccount(
          [],
          used.map(({ day, n }) => ({ at: dayOf(day), n: String(n) })),
          { organization: { settings: { ...NO_TAX, taxRate }, revision: '0' } },
        );
        const begun = sold.map((one, place) => ({ ...one, term: termOf(one, place) }));
        for (let day = 0; day <= 75; day += 1) {
          book.terms = begun.flatMap((one) => (one.start > day ? [] : [asOfDay(one, one.term, day)]));
          for (const { which, act } of done.filter((one) => one.day === day)) {
            const unpaid = [...book.fullState.invoices.values()].filter(({ status }) => status === 'unpaid');
            const invoice = unpaid[which % (unpaid.length || 1)];
            if (invoice && act === 'pay') pay(book, invoice.invoiceId, dayOf(day));
            if (invoice && act === 'void') {
              const { length } = book.log;
              book.void(invoice.invoiceId, dayOf(day));
              const since = book.log.slice(length);
              const credits = since.flatMap((it) =>
                it.type === 'CreditGranted' ? [it.data.amount.amount] : [],
              );
              const off = takenOff(book.log, [invoice.invoiceId]);
              expect(credits.map(BigInt)).toEqual(off === 0n ? [] : [off]);
            }
          }
          if (!isDue(book, begun, day) && !done.some((one) => one.day === day)) continue;
          if (book.terms.length === 0) continue;
          book.run(dayOf(day));

          const { invoices, credits } = book.fullState;
          const left = [...credits.values()].reduce((sum, { remaining }) => sum + remaining, 0n);
          const owed = [...invoices.values()].reduce((sum, { costDue }) => sum + costDue, 0n);
          const received = cents(
            book.log.flatMap((event) => (event.type === 'InvoicePaid' ? [event.data.amount.amount] : [])),
          );
          const returned = returnedBy(book.log);
          const charged = chargedIn(book.log);
          expect(left <= received + returned).toBe(true);
          expect(received + owed - left).toBe(charged);
          granted += Number(left > 0n);
        }
      }),
      { ...tries(60), examples: [[[refunded], [paid], [], null]] },
    );
    expect(granted).toBeGreaterThan(0);
  });
});

/** Returns whether a run of this day has something to bill: a start, a cancellation or a due term. */
function isDue({ state }: PureAccount, sold: readonly Sold[], day: number): boolean {
  if (sold.some((it) => it.start === day || it.start + (it.cancelledAfter ?? -1) === day)) return true;
  return [...state.terms.values()].some(({ nextDueAt }) => nextDueAt !== null && nextDueAt <= dayOf(day));
}

interface Sold {
  readonly start: number;
  readonly fee: string;
  readonly weekly: boolean;
  readonly behavior: 'prorate' | 'full';
  readonly adjusted: boolean;
  readonly cancelledAfter: number | null;
  readonly flatFee: Cancellation['flatFee'];
  readonly usage: Cancellation['usage'];
  readonly invoicing: Cancellation['invoicing'];
}

function termOf({ start, fee, weekly, behavior, adjusted }: Sold, place: number): RunTerm {
  const charge = aCharge({ amount: fee, behavior, resetInterval: weekly ? WEEK : null });
  const priceAdjustment = adjusted
    ? { name: 'a', description: null, type: 'percentage' as const, amount: '-12.5' }
    : null;
  const content = aContent({ recurringCharges: [charge], components: [cheaperByVolume], priceAdjustment });
  return aTerm(content, { name: `subscription ${place}`, start: dayOf(start) });
}

/** Returns the term as of a day: cancelled from its day of cancellation on. */
function asOfDay({ cancelledAfter, start, ...how }: Sold, runTerm: RunTerm, day: number): RunTerm {
  if (cancelledAfter === null || day < start + cancelledAfter) return runTerm;
  const at = dayOf(start + cancelledAfter);
  const { flatFee, usage, invoicing } = how;
  const billedAt = invoicing === 'invoice_now' ? at : runTerm.term.end;
  return {
    ...runTerm,
    term: { ...runTerm.term, end: at, scheduledEnd: false, autoRenew: false },
    endedBy: 'cancelled',
    cancelled: { flatFee, usage, invoicing, billedAt },
    revision: '1',
  };
}

function pay(book: PureAccount, invoiceId: Uuid, at: Instant): void {
  const changes = { status: 'paid' as const };
  const command = { type: 'ChangePayment' as const, invoiceId, currency: 'USD', changes };
  book.happened(...book.decide({ ...command, now: at, commandId: invoiceId }));
}
