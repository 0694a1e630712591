import { digitsOf } from './digits.js';

/** Adds amounts as decimals; in floating point 0.1 + 0.2 is more than 0.3. */
export function sumExactly(amounts: readonly number[]): number {
  const digits = Math.max(0, ...amounts.map(digitsOf));
  const total = amounts.reduce((sum, amount) => sum + BigInt(amount.toFixed(digits).replace('.', '')), 0n);
  return Number(`${total}e-${digits}`);
}
