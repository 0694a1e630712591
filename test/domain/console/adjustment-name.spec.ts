import { describe, expect, it } from '@jest/globals';
import { adjustmentName } from '../../../console/src/pages/invoices/adjustment-name.js';

const nameOf = (adjustment_type: string, rule: string, figure: string | null) =>
  adjustmentName(
    { adjustment_type, rule, figure, amount: -1, allocation: null } as Parameters<typeof adjustmentName>[0],
    (text) => `<${text}>`,
  );

describe('an adjustment of an invoice line', () => {
  it.each([
    ['sales_tax', 'tax_rate', '19', 'Tax of <19> %'],
    ['sales_tax', 'tax_rate', null, 'Tax'],
    ['plan_adjustment', 'percentage', '-12.5', 'Price adjustment of <-12.5> %'],
    ['plan_adjustment', 'fixed', '-5', 'Price adjustment of <-5>'],
    ['plan_adjustment', 'price_override', '50', 'Price set to <50>'],
    ['plan_adjustment', 'plan_adjustment', null, 'plan adjustment'],
    ['credit', 'credit_drawdown', '-156.3', 'Paid with credit'],
    ['credit', 'invoice_reduction', '65.7', 'Taken off an earlier invoice'],
  ])('%s by %s of %s has a name that a reader of invoices knows', (type, rule, figure, name) => {
    expect(nameOf(type, rule, figure)).toBe(name);
  });
});
