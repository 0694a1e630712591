import { describe, expect, it } from '@jest/globals';
import type { Credit } from '../../../clients/typescript/src/index.js';
import { balancesOf, statusOf } from '../../../console/src/pages/customers/credit-balance.js';

const credit = (id: string, fields: Partial<Credit>): Credit => ({
  credit_id: id,
  customer: { customer_id: 'acme', customer_name: null, email: null },
  amount: 100,
  amount_remaining: 100,
  currency: { code: 'USD', name: 'US Dollar', symbol: '$' },
  description: null,
  effective_at: '2026-01-01T00:00:00Z',
  expires_at: null,
  status: 'active',
  amount_paid: 0,
  amount_paid_currency: null,
  drawdowns: [],
  ...fields,
});
const drawn = (amount: number, at: string) => ({ credit_id: 'a', amount, applied_at: at, description: '' });
const shown = (...credits: Credit[]) =>
  balancesOf(credits, new Map([['voided', '2026-01-20T00:00:00Z']])).map(({ at, balance }) => [
    at.slice(5, 10),
    balance,
  ]);

describe('the balance of credits over time', () => {
  it('follows grants and what invoices took, exactly', () => {
    const taken = [drawn(-0.1, '2026-02-01T00:00:00Z'), drawn(-0.2, '2026-03-01T00:00:00Z')];
    const one = credit('a', { amount: 0.3, amount_remaining: 0, drawdowns: taken });
    const other = credit('b', { amount: 5, amount_remaining: 5, effective_at: '2026-02-01T00:00:00Z' });
    expect(shown(one, other)).toEqual([
      ['01-01', 0.3],
      ['02-01', 5.2],
      ['03-01', 5],
    ]);
  });

  it('loses what is left when a credit expires or is voided', () => {
    const over = { amount_remaining: 0, status: 'inactive' as const, expires_at: '2026-01-31T00:00:00Z' };
    expect(shown(credit('expired', { ...over, drawdowns: [drawn(-40, '2026-01-10T00:00:00Z')] }))).toEqual([
      ['01-01', 100],
      ['01-10', 60],
      ['01-31', 0],
    ]);
    expect(shown(credit('voided', over))).toEqual([
      ['01-01', 100],
      ['01-20', 0],
    ]);
    const lasting = { expires_at: '2026-12-31T00:00:00Z' };
    expect(shown(credit('lasting', lasting))).toEqual([['01-01', 100]]);
  });
});

describe('the status of a credit', () => {
  it('is used up where invoices have drawn all of it, and else that of the API', () => {
    const taken = [drawn(-0.1, '2026-02-01T00:00:00Z'), drawn(-0.2, '2026-03-01T00:00:00Z')];
    const inactive = { amount_remaining: 0, status: 'inactive' as const };
    expect(statusOf(credit('a', { amount: 0.3, drawdowns: taken, ...inactive }))).toBe('used up');
    expect(statusOf(credit('b', inactive))).toBe('inactive');
    expect(statusOf(credit('c', {}))).toBe('active');
  });
});
