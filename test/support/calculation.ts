import {
  ZERO,
  add,
  exactText,
  multiply,
  readExactText,
  roundHalfAwayFromZero,
} from '../../src/kernel/quantity.js';

/** A step of a line's calculation, as the explanation of an invoice returns it. */
interface Step {
  readonly price: string;
  readonly prorated: boolean;
  readonly fraction: string;
  readonly rounded_before: string | null;
  readonly rounded_up_to: string | null;
  readonly units: string;
  readonly prepaid_units: string | null;
  readonly unit_price: string | null;
  readonly tiers: readonly { readonly amount: string }[];
  readonly bulk_pricing_enabled: boolean;
  readonly amount: string;
}

export interface Calculation {
  readonly charge_key: string;
  readonly steps: readonly Step[];
  readonly exact: string;
  readonly due: number;
  readonly charged_before: number;
  readonly earlier_lines: readonly { readonly invoice_number: string; readonly base: number }[];
}

export interface Totals {
  readonly base: number;
  readonly adjustments: number;
  readonly amount: number;
  readonly cost_due: number;
}

export const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
export const sumOf = (parts: readonly { readonly amount: string }[]): string =>
  exactText(parts.map(({ amount }) => readExactText(amount)).reduce(add, ZERO));
export const product = (a: string, b: string): string =>
  exactText(multiply(readExactText(a), readExactText(b)));
export const cents = (exact: string): number => Number(roundHalfAwayFromZero(readExactText(exact), 100n));
