import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  accountDecider,
  accountWithFullHistory,
  type AccountCommand,
} from '../../src/billing/decider/domain/account.js';
import type { AccountInvoice } from '../../src/billing/accounts/domain/account-invoices.js';
import {
  type AccountState,
  accountFromSnapshot,
  type AccountSnapshot,
} from '../../src/billing/accounts/domain/account-state.js';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import { closedWindows, usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { SnapshotTooShallow } from '../../src/kernel/decider.js';
import { namedId } from '../../src/kernel/ids.js';
import { DAY, instant, plusMicros, type Instant } from '../../src/kernel/instant.js';
import {
  CUSTOMER,
  MONTH,
  WEEK,
  aCharge,
  aComponent,
  aContent,
  aTerm,
  perUnit,
} from '../support/builders/billing.js';
import { PureAccount, countOf } from '../support/pure-account.js';
import { tries } from '../support/law-runs.js';

const volume = { volume: true, tiers: [perUnit('1.00', '0', '40'), perUnit('0.20', '40')] };
const content = aContent({
  recurringCharges: [aCharge({ resetInterval: WEEK })],
  components: [
    aComponent({ resetInterval: WEEK, invoicingInterval: WEEK }),
    aComponent({ metricName: 'volume', invoicingInterval: WEEK, resetInterval: MONTH, ...volume }),
  ],
});
const START = instant('2026-01-01');
/** Two terms of about a year that are billed by the week: some sixty runs, three or more snapshots. */
const terms = [
  aTerm(content, { name: 'first', end: '2027-01-01' }),
  aTerm(content, { name: 'second', start: '2026-05-01', end: '2027-02-01' }),
];
const dayOf = (day: number): Instant => plusMicros(START, BigInt(day) * DAY + 3_600_000_000n);

const fullStateOf = (log: readonly AccountEvent[]): AccountState =>
  log.reduce(accountWithFullHistory.evolve, accountWithFullHistory.initial());

/** Computes the run of a day on the given state of the account. */
function runOn(book: PureAccount, state: AccountState, day: number) {
  const data = { ...book.data(dayOf(day)), account: state };
  const needs = [...usageNeeded(data), ...closedWindows(data).map(({ need }) => need)];
  return computeInvoice(
    data,
    needs.map((need) => countOf(need, book.usage)),
  );
}

const snapshotsIn = (log: readonly AccountEvent[]): AccountSnapshot[] =>
  log.flatMap((event) => (event.type === 'AccountCarriedForward' ? [event.data] : []));

const acts = fc.array(
  fc.record({
    day: fc.integer({ min: 0, max: 420 }),
    act: fc.constantFrom('use', 'use', 'late', 'pay', 'void', 'credit'),
    n: fc.integer({ min: 1, max: 900 }),
  }),
  { minLength: 5, maxLength: 40 },
);

describe('an account with a snapshot', () => {
  it('law: bills what the account with its full history bills, to the byte, whatever happened before', () => {
    fc.assert(
      fc.property(acts, (given) => {
        const book = new PureAccount(terms);
        for (let day = 0; day <= 420; day += 5) {
          for (const { act, n } of given.filter((one) => one.day >= day && one.day < day + 5)) {
            if (act === 'use') book.usage.push({ at: dayOf(day), n: String(n) });
            if (act === 'late') book.usage.push({ at: dayOf(Math.max(0, day - 30)), n: String(n) });
            const unpaid = [...book.fullState.invoices.values()].filter(({ status }) => status === 'unpaid');
            const one = unpaid[n % (unpaid.length || 1)];
            if (act === 'pay' && one) pay(book, one.invoiceId, day);
            if (act === 'void' && one) book.void(one.invoiceId, dayOf(day));
            if (act === 'credit') grant(book, `credit ${day} ${n}`, n, day);
          }
          expect(runOn(book, book.state, day)).toEqual(runOn(book, book.fullState, day));
          book.run(dayOf(day));
        }
        expect(snapshotsIn(book.log).length).toBeGreaterThanOrEqual(3);
        expectSame(book.state, fullStateOf(book.log));
      }),
      // Each history is a year of weekly bills that is computed twice, which takes some seconds.
      tries(2),
    );
  });

  it('is restored from the snapshot event alone, as JSON keeps it', () => {
    const book = new PureAccount(terms, [{ at: dayOf(3), n: '10' }]);
    grant(book, 'a credit', 500, 0);
    for (let day = 0; snapshotsIn(book.log).length === 0; day += 5) book.run(dayOf(day));
    const { data } = book.log.find(({ type }) => type === 'AccountCarriedForward') as {
      data: AccountSnapshot;
    };
    const read = JSON.parse(JSON.stringify(data)) as AccountSnapshot;
    const at = book.log.findIndex(({ type }) => type === 'AccountCarriedForward');
    const after = book.log.slice(0, at + 1).reduce(accountDecider.evolve, accountDecider.initial());
    expect(accountFromSnapshot(read)).toEqual(after);
    expectSame(after, fullStateOf(book.log.slice(0, at + 1)));
  });

  it('stays as small as what is open, however long its history', () => {
    const book = new PureAccount(terms);
    for (let day = 0; day <= 420; day += 1) {
      book.run(dayOf(day));
      for (const { invoiceId, status } of book.state.invoices.values())
        if (status === 'unpaid') pay(book, invoiceId, day);
    }
    const sizes = snapshotsIn(book.log).map((data) => JSON.stringify(data).length);
    expect(sizes.length).toBeGreaterThan(10);
    expect(book.state.invoices.size).toBeLessThan(10);
    expect(book.state.runs.size).toBeLessThan(48 + 25);
  });

  it('answers for what a snapshot dropped only with its full history', () => {
    const book = new PureAccount(terms, [{ at: dayOf(3), n: '10' }]);
    const old = book.bill(dayOf(0))!.invoiceId;
    pay(book, old, 0);
    for (let day = 5; snapshotsIn(book.log).length === 0; day += 5) book.run(dayOf(day));
    const command = (changes: AccountCommand) => ({ ...changes, now: dayOf(400), commandId: CUSTOMER });
    const link = command({
      type: 'ChangePayment',
      invoiceId: old,
      currency: 'USD',
      changes: { payment: { id: 'pi_1', type: 'provider_a', status: 'done' } },
    });
    expect(() => accountDecider.decide(link, book.state)).toThrow(SnapshotTooShallow);
    const linked = accountDecider.decide(link, fullStateOf(book.log));
    expect(linked).toMatchObject([{ type: 'PaymentLinked', data: { invoiceId: old } }]);
    expect(linked.reduce(accountDecider.evolve, book.state).invoices.has(old)).toBe(false);
  });
});

function pay(book: PureAccount, invoiceId: string, day: number): void {
  const changes = { status: 'paid' as const };
  const command = { type: 'ChangePayment' as const, invoiceId, currency: 'USD', changes };
  book.happened(...book.decide({ ...command, now: dayOf(day), commandId: invoiceId }));
}

function grant(book: PureAccount, name: string, cents: number, day: number): void {
  const credit = {
    creditId: namedId(name),
    customerKey: CUSTOMER,
    currency: 'USD',
    amount: { amount: String(cents), currency: 'USD', scale: 2 },
    description: null,
    effectiveAt: dayOf(day),
    expiresAt: cents % 2 ? null : dayOf(day + 60),
    grantedAt: dayOf(day),
    purchase: null,
  };
  const command = { type: 'GrantCredit' as const, credit, invoice: null };
  book.happened(
    ...accountDecider.decide({ ...command, now: dayOf(day), commandId: credit.creditId }, book.state),
  );
}

/**
 * Expects both accounts to have the same charges, counts, terms and nettings, and the same open invoices and
 * credits.
 */
function expectSame(short: AccountState, whole: AccountState): void {
  const { revision, billed, counts, terms, settled, nettings } = short;
  expect({ revision, billed, counts, terms, settled, nettings }).toEqual({
    revision: whole.revision,
    billed: whole.billed,
    counts: whole.counts,
    terms: whole.terms,
    settled: whole.settled,
    nettings: whole.nettings,
  });
  const isOpen = ({ status }: { status: string }) => status === 'unpaid';
  const [open, all] = [short, whole].map(({ invoices }) => [...invoices.values()].filter(isOpen)) as [
    AccountInvoice[],
    AccountInvoice[],
  ];
  const isKept = ({ invoiceId }: AccountInvoice) => short.invoices.has(invoiceId);
  expect(open).toEqual(all.filter(isKept));
  const dropped = all.filter((invoice) => !isKept(invoice));
  expect(dropped.flatMap(({ chargeKeys }) => [...chargeKeys]).filter((key) => billed.has(key))).toEqual([]);
  const left = ({ credits }: AccountState) => [...credits.values()].filter(({ remaining }) => remaining > 0n);
  expect(left(short)).toEqual(left(whole));
}
