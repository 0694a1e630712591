import { describe, expect, it } from '@jest/globals';
import { ChargeKey } from '../../src/billing/accounts/domain/account-charges.js';
import { coverageOf, creditLine } from '../../src/billing/rating/settle-total.js';
import type { InvoiceLine } from '../../src/billing/accounts/domain/event-data.js';
import { instant } from '../../src/kernel/instant.js';
import { money } from '../../src/kernel/money.js';
import { aCharge, aContent, aTerm } from '../support/builders/billing.js';
import { PureAccount } from '../support/pure-account.js';

const ofAFee = () =>
  new PureAccount([aTerm(aContent({ recurringCharges: [aCharge()] }))]).bill('2026-01-01')!;
const charged = (start: string, end: string, last: string, scheduledEnd: boolean): InvoiceLine => ({
  ...ofAFee().lines[0]!,
  period: { start: instant(start), end: instant(end) },
  localDates: { first: start, last },
  scheduledEnd,
});

describe('a line that settles an invoice', () => {
  const early = () => charged('2026-01-05', '2026-03-01', '2026-02-28', false);
  const late = () => charged('2026-01-10', '2026-02-01', '2026-01-31', true);
  const lineOver = (...lines: InvoiceLine[]) =>
    creditLine(
      ...(['credit_drawdown', 'Applied Credit', ChargeKey.DRAWN_CREDITS] as const),
      ...([money(-500n, 'USD'), coverageOf(lines)] as const),
    );

  it('has no price and an adjustment, and covers what the invoice covers', () => {
    const amount = { amount: '-500', currency: 'USD', scale: 2 };
    expect(lineOver(late(), early())).toEqual({
      adjustments: [{ account: '21100', amount, type: 'credit' }],
      amount,
      base: { ...amount, amount: '0' },
      billingType: 'one_time',
      chargeKey: 'credits',
      explanation: { rule: 'credit_drawdown' },
      filters: null,
      localDates: { first: '2026-01-05', last: '2026-02-28' },
      name: 'Applied Credit',
      period: { end: instant('2026-03-01'), start: instant('2026-01-05') },
      plan: null,
      quantity: null,
      scheduledEnd: false,
      subscriptionId: null,
      subtotal: amount,
    });
  });

  it('is the same in whatever order the lines are, and ends as the first of those that end last', () => {
    expect(lineOver(early(), late())).toEqual(lineOver(late(), early()));
    const scheduled = { ...early(), scheduledEnd: true };
    expect(lineOver(early(), scheduled).scheduledEnd).toBe(false);
    expect(lineOver(scheduled, early()).scheduledEnd).toBe(true);
  });
});
