import { describe, expect, it } from '@jest/globals';
import { amountOfStep } from '../../../console/src/pages/invoices/step-amount.js';

type Step = Parameters<typeof amountOfStep>[0];

const FORMAT = {
  units: (text: string) => `<${text}>`,
  amount: (text: string) => `${text} USD`,
  share: (text: string) => `share ${text}`,
};

const said = (changes: Partial<Step>): string =>
  amountOfStep(
    {
      what: 'recurring_charge',
      units: '1',
      price: '31',
      prorated: true,
      fraction: '1',
      amount: '31',
      rounded_up_to: null,
      rounded_before: null,
      ...changes,
    } as Step,
    FORMAT,
  );

describe('the amount of a step of a calculation', () => {
  it('is what prepaid units take off, with the units that they cover and how many there are', () => {
    const paid = {
      what: 'usage_paid_by_prepaid_units',
      units: '5',
      amount: '-5',
      prepaid_units: '20',
    } as const;
    expect(said(paid)).toBe('-5 USD: the price of <5> units, of <20> prepaid');
    expect(said({ ...paid, units: '1' })).toContain('the price of <1> unit, ');
  });

  it('is the prorated share of its price', () => {
    expect(said({ fraction: '21/31', amount: '21' })).toBe('31 USD × share 21/31 of the period = 21 USD');
  });

  it('is its price where that is not prorated, or nothing where it is not charged', () => {
    expect(said({ what: 'usage', prorated: false })).toBe('31 USD, not prorated');
    expect(said({ prorated: false, fraction: '0', amount: '0' })).toBe('31 USD, not charged');
  });

  it('is the difference of the rounded shares where parts of a period sum to its price', () => {
    const part = { price: '10', fraction: '1/3', amount: '3.34' };
    expect(said({ ...part, rounded_before: '1/3', rounded_up_to: '2/3' })).toBe(
      'round(10 USD × share 2/3 of the period) − round(10 USD × share 1/3) = 3.34 USD',
    );
  });
});
