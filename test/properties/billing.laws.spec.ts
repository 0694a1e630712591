import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type {
  ComputedInvoice,
  LineAdjustment,
  TermBillingStatus,
} from '../../src/billing/accounts/domain/event-data.js';
import type { RunResult } from '../../src/billing/accounts/domain/run-result.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import { usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { verifyInvoice } from '../../src/billing/rating/verify.js';
import { canonicalJson } from '../../src/kernel/canonical-json.js';
import { namedId } from '../../src/kernel/ids.js';
import { DAY, MINUTE, instant, plusMicros, type Instant } from '../../src/kernel/instant.js';
import { ratio, roundHalfAwayFromZero } from '../../src/kernel/quantity.js';
import { CUSTOMER, NO_TAX, aCharge, aContent, aTerm } from '../support/builders/billing.js';
import { PureAccount, countOf } from '../support/pure-account.js';
import { tries } from '../support/law-runs.js';
import { AT_LAST, histories, type History } from './billing-arbitraries.js';
import { costOf } from './billing-oracle.js';

const accountOf = ({ terms, usage, taxRate }: History): PureAccount =>
  new PureAccount(terms, usage, { organization: { settings: { ...NO_TAX, taxRate }, revision: '0' } });

const invoicesOf = (account: PureAccount): ComputedInvoice[] =>
  account.events.flatMap((event) => (event.type === 'InvoiceComputed' ? [event.data] : []));

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
const adjustmentOf = (type: LineAdjustment['type'], { adjustments }: ComputedInvoice['lines'][number]) =>
  sum(adjustments.filter((a) => a.type === type).map(({ amount }) => BigInt(amount.amount)));
const statusesOf = (run: RunResult): readonly TermBillingStatus[] =>
  run.type === 'InvoiceComputed' ? run.invoice.terms : run.nothing.terms;

/** Sums all that was billed of a term: the bases, and the bases with price adjustments. */
function billedOf(account: PureAccount, subscriptionId: string) {
  const lines = invoicesOf(account)
    .flatMap(({ lines: all }) => all)
    .filter((line) => line.subscriptionId === subscriptionId);
  return {
    base: sum(lines.map(({ base }) => BigInt(base.amount))),
    adjusted: sum(lines.map(({ subtotal }) => BigInt(subtotal.amount))),
  };
}

describe('laws of billing (docs/billing.md#conservation)', () => {
  it('conservation: run at whatever instants, a term costs what the plan and its usage say, once', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const account = accountOf(history);
        history.runs.forEach((asOf) => account.run(asOf));
        for (const runTerm of history.terms) {
          const expected = costOf(runTerm, history.usage);
          const billed = billedOf(account, runTerm.term.subscriptionId);
          expect(billed.base).toBe(expected.base);
          if (expected.adjusted !== null) expect(billed.adjusted).toBe(expected.adjusted);
        }
      }),
      tries(60),
    );
  });

  it('run at the instants it says itself, an account bills everything and is left with nothing due', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const account = accountOf(history);
        let asOf = [...history.terms].map(({ term }) => term.start).sort()[0]!;
        for (let turn = 0; ; turn++) {
          expect(turn).toBeLessThan(1000);
          const due = statusesOf(account.run(asOf)).flatMap(({ nextDueAt, nextDueGraced }) =>
            nextDueAt ? [plusMicros(nextDueAt, nextDueGraced ? 30n * MINUTE : 0n)] : [],
          );
          const next = due.sort()[0];
          if (next === undefined) break;
          expect(next > asOf).toBe(true);
          asOf = next;
        }
        const billed = invoicesOf(account).length;
        account.run(AT_LAST);
        expect(invoicesOf(account)).toHaveLength(billed);
        for (const runTerm of history.terms) {
          const { base } = billedOf(account, runTerm.term.subscriptionId);
          expect(base).toBe(costOf(runTerm, history.usage).base);
        }
      }),
      tries(25),
    );
  });

  it('an invoice is the sum of its lines, a line of its base, adjustment and tax', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const account = accountOf(history);
        history.runs.forEach((asOf) => account.run(asOf));
        for (const { lines, total, costDue } of invoicesOf(account)) {
          expect(sum(lines.map(({ amount }) => BigInt(amount.amount)))).toBe(BigInt(total.amount));
          expect(costDue).toEqual(total);
          expect(BigInt(total.amount) >= 0n).toBe(true);
          for (const line of lines) {
            const subtotal = BigInt(line.base.amount) + adjustmentOf('plan_adjustment', line);
            expect(BigInt(line.subtotal.amount)).toBe(subtotal);
            expect(BigInt(line.amount.amount)).toBe(subtotal + adjustmentOf('sales_tax', line));
          }
          const tax = sum(lines.map((line) => adjustmentOf('sales_tax', line)));
          const charged = lines
            .map(({ subtotal }) => BigInt(subtotal.amount))
            .filter((amount) => amount > 0n);
          const [n, d] = { 0: [0n, 1n], 19: [19n, 100n], 8.875: [8875n, 100_000n] }[history.taxRate ?? '0']!;
          const refunds = lines.some(({ subtotal }) => subtotal.amount.startsWith('-'));
          if (!refunds) expect(tax).toBe(roundHalfAwayFromZero(ratio(sum(charged) * n!, d!)));
        }
      }),
      tries(25),
    );
  });

  it('idempotence: a run right after a run has nothing to bill and nothing to count', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const account = accountOf(history);
        for (const asOf of history.runs) {
          account.run(asOf);
          expect(account.preview(asOf)).toMatchObject({ type: 'NothingDue', closedPeriods: [] });
        }
      }),
      tries(30),
    );
  });

  it('void and rebill: whatever invoices are voided between runs, a term costs what it costs', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(), { maxLength: 8 }), (history, choices) => {
        const account = accountOf(history);
        const voided = new Set<string>();
        [...history.runs, plusMicros(AT_LAST, DAY)].forEach((asOf, turn) => {
          account.run(asOf);
          const open = [...account.fullState.invoices.values()].filter(({ status }) => status === 'unpaid');
          const choice = turn < history.runs.length ? choices[turn] : undefined;
          const chosen = choice === undefined ? undefined : open[choice % (open.length + 1)];
          if (!chosen) return;
          account.void(chosen.invoiceId, asOf);
          voided.add(chosen.invoiceId);
        });
        const left = invoicesOf(account).filter(({ invoiceId }) => !voided.has(invoiceId));
        for (const runTerm of history.terms) {
          const { subscriptionId } = runTerm.term;
          const lines = left
            .flatMap(({ lines: all }) => all)
            .filter((line) => line.subscriptionId === subscriptionId);
          const { base, adjusted } = costOf(runTerm, history.usage);
          expect(sum(lines.map((line) => BigInt(line.base.amount)))).toBe(base);
          if (adjusted !== null)
            expect(sum(lines.map((line) => BigInt(line.subtotal.amount)))).toBe(adjusted);
        }
        const after = account.preview(plusMicros(AT_LAST, DAY));
        expect(after).toMatchObject({ type: 'NothingDue', closedPeriods: [] });
      }),
      tries(40),
    );
  });

  it('preview = execution, and a recomputation verifies every invoice', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const account = accountOf(history);
        for (const asOf of history.runs) {
          const preview = account.preview(asOf);
          const again = account.preview(asOf);
          expect(account.run(asOf)).toEqual(preview);
          if (preview.type === 'InvoiceComputed')
            expect(verifyInvoice(preview.invoice, again).differences).toEqual([]);
        }
      }),
      tries(30),
    );
  });

  it('determinism: the same data in another order of keys and of terms gives the same bytes', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const account = accountOf(history);
        for (const asOf of history.runs) {
          const data = account.data(asOf);
          const turned = {
            ...turnedRound(data),
            account: data.account,
            terms: turnedRound([...data.terms].reverse()),
          };
          const counted = usageNeeded(data).map((need) => countOf(need, history.usage));
          const other = usageNeeded(turned).map((need) => countOf(need, history.usage));
          expect(canonicalJson(computeInvoice(turned, [...other].reverse()))).toBe(
            canonicalJson(computeInvoice(data, counted)),
          );
          account.run(asOf);
        }
      }),
      tries(30),
    );
  });
});

describe('laws of credits (docs/billing.md#negative-totals, docs/billing.md#credits)', () => {
  /** Credits that are granted between the runs; some of them pay open invoices. */
  const credits = fc.array(
    fc.record({
      amount: fc.bigInt({ min: 1n, max: 20_000n }),
      turn: fc.nat({ max: 6 }),
      expires: fc.boolean(),
    }),
    { maxLength: 4 },
  );
  const stored = (amount: bigint) => ({ amount: amount.toString(), currency: 'USD', scale: 2 });

  function grant(account: PureAccount, asOf: Instant, amount: bigint, name: string, expires: boolean): void {
    const data = {
      creditId: namedId(name),
      customerKey: CUSTOMER,
      currency: 'USD',
      amount: stored(amount),
      description: null,
      effectiveAt: asOf,
      expiresAt: expires ? plusMicros(asOf, 10n * DAY) : null,
      grantedAt: asOf,
      purchase: null,
    };
    account.happened({ type: 'CreditGranted', data });
  }

  it('no credit goes below zero, and what is due is what was charged less what credits and payments gave', () => {
    fc.assert(
      fc.property(histories, credits, fc.nat({ max: 2 }), (history, given, payEvery) => {
        const account = accountOf(history);
        let granted = 0n;
        let paid = 0n;
        history.runs.forEach((asOf, turn) => {
          given.forEach(({ amount, turn: at, expires }, index) => {
            if (at !== turn) return;
            grant(account, instant(asOf), amount, `credit ${index}`, expires);
            granted += amount;
          });
          account.run(asOf);
          if (payEvery === 0 || turn % payEvery !== 0) return;
          for (const { invoiceId, costDue } of [...account.fullState.invoices.values()]) {
            if (costDue === 0n) continue;
            const data = { invoiceId, amount: stored(costDue), paidAt: instant(asOf) };
            account.happened({ type: 'InvoicePaid', data });
            paid += costDue;
          }
        });
        const charged = sum(
          invoicesOf(account)
            .flatMap(({ lines }) => lines)
            .filter(({ subscriptionId }) => subscriptionId !== null)
            .map(({ amount }) => BigInt(amount.amount)),
        );
        const held = [...account.state.credits.values()].map(({ remaining }) => remaining);
        const due = [...account.fullState.invoices.values()].map(({ costDue }) => costDue);
        for (const amount of [...held, ...due]) expect(amount >= 0n).toBe(true);
        expect(sum(due) - sum(held)).toBe(charged - granted - paid);
      }),
      tries(60),
    );
  });
});

describe('partition law (docs/billing.md#conservation)', () => {
  const ends = fc
    .uniqueArray(fc.integer({ min: 1, max: 31 * 24 * 60 - 1 }), { minLength: 1, maxLength: 6 })
    .map((minutes) =>
      minutes.sort((a, b) => a - b).map((n) => plusMicros(instant('2026-01-01'), BigInt(n) * MINUTE)),
    );
  const whole = instant('2026-02-01');

  it('the parts of one period sum to its price, into however many it was cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), ends, (price, list) => {
        const content = aContent({
          recurringCharges: [aCharge({ amount: `${price}e-2`, timing: 'in_arrears' })],
        });
        const account = new PureAccount([]);
        for (const end of [...list, whole]) {
          account.terms = [aTerm(content, { end })];
          account.run(plusMicros(end, DAY));
        }
        const total = sum(invoicesOf(account).map((invoice) => BigInt(invoice.total.amount)));
        expect(total).toBe(BigInt(price));
      }),
      tries(60),
    );
  });
});

/** Returns a copy in which the keys of every plain object are in reverse order. */
function turnedRound<T>(value: T): T {
  if (Array.isArray(value)) return value.map(turnedRound) as T;
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const entries = Object.entries(value).map(([key, member]) => [key, turnedRound(member)] as const);
  return Object.fromEntries(entries.reverse()) as T;
}
