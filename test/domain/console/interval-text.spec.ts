import { describe, expect, it } from '@jest/globals';
import { intervalText } from '../../../console/src/pages/plans/interval-text.js';

describe('how often a price is charged', () => {
  it.each([
    [null, null, 'monthly', 'monthly'],
    [null, null, 'yearly', 'yearly'],
    [null, null, null, 'once a term'],
    ['month', 0, 'yearly', 'yearly'],
    ['week', null, 'monthly', 'every week'],
    ['week', 1, 'monthly', 'every week'],
    ['month', 6, 'yearly', 'every 6 months'],
  ] as const)('with an interval of %s, %s in a plan that is %s: %s', (unit, count, duration, text) => {
    const interval = { invoicing_interval_unit: unit, invoicing_interval_count: count };
    expect(intervalText(interval, duration)).toBe(text);
  });
});
