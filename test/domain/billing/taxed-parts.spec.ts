import { describe, expect, it } from '@jest/globals';
import {
  type BilledCharge,
  chargeFromSnapshot,
  snapshotOfCharge,
  type TaxedPart,
  withoutVoidedAmount,
  withTaxedAmount,
  withoutVoidedMarks,
} from '../../../src/billing/accounts/domain/account-charges.js';

const sums = (base: bigint) => ({ base, adjustments: base / 10n, tax: base / 5n });
const part = (taxRate: string | null, base: bigint, voidedBase = 0n): TaxedPart => ({
  taxRate,
  ...sums(base),
  voidedBase,
});
const charged = (taxRate: string | null, base: bigint) => ({ taxRate, ...sums(base) });

describe('the charged parts of a charge by tax rate', () => {
  it('what is charged with the newest rate is added to it, with another rate it follows', () => {
    const once = withTaxedAmount([], charged('10', 100n));
    expect(once).toEqual([part('10', 100n)]);
    expect(withTaxedAmount(once, charged('10', 50n))).toEqual([part('10', 150n)]);
    const twice = withTaxedAmount(once, charged('20', 50n));
    expect(twice).toEqual([part('10', 100n), part('20', 50n)]);
    expect(withTaxedAmount(twice, charged('10', 50n))).toEqual([
      part('10', 100n),
      part('20', 50n),
      part('10', 50n),
    ]);
    expect(withTaxedAmount(once, charged(null, 0n))).toEqual([part('10', 100n), part(null, 0n)]);
  });

  it('what is credited back is taken from the newest part of its rate', () => {
    const parts = [part('10', 100n), part('20', 50n), part('10', 50n)];
    expect(withTaxedAmount(parts, charged('10', -50n))).toEqual([
      part('10', 100n),
      part('20', 50n),
      part('10', 0n),
    ]);
    expect(withTaxedAmount(parts, charged('20', -50n))).toEqual([
      part('10', 100n),
      part('20', 0n),
      part('10', 50n),
    ]);
  });

  it('what a voided invoice had charged waits with its rate, and returns to its former part', () => {
    const parts = [part('10', 100n), part('20', 50n)];
    const voided = withoutVoidedAmount(parts, charged('10', 100n));
    expect(voided).toEqual([part('10', 0n, 100n), part('20', 50n)]);
    expect(withoutVoidedAmount(voided, charged('20', 50n))).toEqual([
      part('10', 0n, 100n),
      part('20', 0n, 50n),
    ]);
    const again = withTaxedAmount(voided, charged('10', 100n));
    expect(withoutVoidedMarks(again)).toEqual(parts);
  });

  it('what a voided invoice had charged is of a part that has as much', () => {
    const parts = [part('10', 100n), part('20', 50n), part('10', 40n)];
    expect(withoutVoidedAmount(parts, charged('10', 100n))[0]).toEqual(part('10', 0n, 100n));
    expect(withoutVoidedAmount(parts, charged('10', 40n))[2]).toEqual(part('10', 0n, 40n));
    // A part of the amount was credited back after the charge.
    expect(withoutVoidedAmount([part('10', 60n)], charged('10', 100n))).toEqual([part('10', -40n, 100n)]);
  });

  it('what a voided invoice had credited back is charged again, and does not wait', () =>
    expect(withoutVoidedAmount([part('10', 60n)], charged('10', -40n))).toEqual([part('10', 100n)]));

  it('a void that says no rate is of the newest', () =>
    expect(withoutVoidedAmount([part('10', 100n), part('20', 50n)], { ...sums(50n) })).toEqual([
      part('10', 100n),
      part('20', 0n, 50n),
    ]));
});

describe('a charge in a snapshot', () => {
  const known = (parts: readonly TaxedPart[]): BilledCharge => ({
    ...sums(parts.reduce((sum, { base }) => sum + base, 0n)),
    taxRate: parts.at(-1)!.taxRate,
    parts,
    count: null,
    voidedQuantity: null,
  });

  it.each([
    ['of one rate', [part('10', 100n)], false],
    ['of two rates', [part('10', 100n), part('20', 50n)], true],
    ['of one rate that was voided in part', [part('10', 100n, 30n)], true],
  ])('%s is the same afterwards', (_, parts, isSaid) => {
    const { chargeKey, ...carried } = snapshotOfCharge('a key', known(parts), 'USD');
    expect('parts' in carried).toBe(isSaid);
    expect(chargeKey).toBe('a key');
    expect(chargeFromSnapshot(carried)).toEqual(known(parts));
  });
});
