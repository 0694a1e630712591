import { describe, expect, it } from '@jest/globals';
import { shareOfAdjustment } from '../../../console/src/pages/invoices/adjustment-share.js';

type Told = Parameters<typeof shareOfAdjustment>[0];

const FORMAT = { amount: (amount: number) => `$${amount}`, exact: (text: string) => `<${text}>` };
const ALLOCATION = {
  total: 1.67,
  base: 10.41,
  own_base: 3.47,
  carried_back: 0,
  lines: [1, 2, 3],
  of_period: null,
};
const PERIOD = {
  ...{ start: '', end: '', full_interval: { start: '', end: '' } },
  ...{ rounded_before: '0', rounded_up_to: '0.5', amount: -4.01, base: 11.85, adjusted: 0 },
};

const said = (changes: Partial<NonNullable<Told['allocation']>>, line = 1): readonly string[] =>
  shareOfAdjustment({ line, figure: '-8.01', allocation: { ...ALLOCATION, ...changes } }, FORMAT);

describe('the share that an adjustment has of a total', () => {
  it('is said with the total and the bases that it is shared by', () => {
    expect(said({})).toEqual(['Share of $1.67, by $3.47 of $10.41 on lines 1, 2, 3']);
    expect(said({ lines: [1, 2, 3, 4, 5, 6] })).toEqual(['Share of $1.67, by $3.47 of $10.41 on 6 lines']);
  });

  it('is said with the prorated amount of the period where that is given once', () => {
    expect(said({ lines: [1], of_period: PERIOD })).toEqual([
      'Of the period <-8.01> × <0.5> = $-4.01, on $11.85, given $0',
    ]);
    expect(said({ lines: [1], of_period: { ...PERIOD, rounded_before: '0.25' } })).toEqual([
      'Of the period round(<-8.01> × <0.5>) − round(<-8.01> × <0.25>) = $-4.01, on $11.85, given $0',
    ]);
  });

  it('is not said where the line has all of it, none of it, or an adjustment of its own', () => {
    expect(said({ lines: [1] })).toEqual([]);
    expect(said({ carried_back: 2 }, 4)).toEqual(['Carried back $2 of the charge that it reduces']);
    expect(shareOfAdjustment({ line: 1, figure: null, allocation: null }, FORMAT)).toEqual([]);
  });
});
