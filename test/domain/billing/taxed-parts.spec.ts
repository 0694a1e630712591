import { describe, expect, it } from '@jest/globals';
import {
  snapshotOfCharge,
  chargeFromSnapshot,
  type BilledCharge,
} from '../../../src/billing/accounts/domain/account-charges.js';
import {
  withNothingVoided,
  withTaxed,
  withoutTaxed,
  type TaxedPart,
} from '../../../src/billing/accounts/domain/taxed-parts.js';

const sums = (base: bigint) => ({ base, adjustments: base / 10n, tax: base / 5n });
const part = (taxRate: string | null, base: bigint, voided = 0n): TaxedPart => ({
  ...{ taxRate, ...sums(base), voided },
});
const charged = (taxRate: string | null, base: bigint) => ({ taxRate, ...sums(base) });

describe('what stands of a charge by tax rate', () => {
  it('what is charged with the newest rate is added to it, with another rate it follows', () => {
    const once = withTaxed([], charged('10', 100n));
    expect(once).toEqual([part('10', 100n)]);
    expect(withTaxed(once, charged('10', 50n))).toEqual([part('10', 150n)]);
    const twice = withTaxed(once, charged('20', 50n));
    expect(twice).toEqual([part('10', 100n), part('20', 50n)]);
    expect(withTaxed(twice, charged('10', 50n))).toEqual([
      part('10', 100n),
      part('20', 50n),
      part('10', 50n),
    ]);
    expect(withTaxed(once, charged(null, 0n))).toEqual([part('10', 100n), part(null, 0n)]);
  });

  it('what is given back comes off the newest part of its rate', () => {
    const parts = [part('10', 100n), part('20', 50n), part('10', 50n)];
    expect(withTaxed(parts, charged('10', -50n))).toEqual([
      part('10', 100n),
      part('20', 50n),
      part('10', 0n),
    ]);
    expect(withTaxed(parts, charged('20', -50n))).toEqual([
      part('10', 100n),
      part('20', 0n),
      part('10', 50n),
    ]);
  });

  it('what a voided invoice had charged waits with its rate, and goes back to where it was', () => {
    const parts = [part('10', 100n), part('20', 50n)];
    const voided = withoutTaxed(parts, charged('10', 100n));
    expect(voided).toEqual([part('10', 0n, 100n), part('20', 50n)]);
    expect(withoutTaxed(voided, charged('20', 50n))).toEqual([part('10', 0n, 100n), part('20', 0n, 50n)]);
    const again = withTaxed(voided, charged('10', 100n));
    expect(withNothingVoided(again)).toEqual(parts);
  });

  it('what a voided invoice had charged is of a part that has as much', () => {
    const parts = [part('10', 100n), part('20', 50n), part('10', 40n)];
    expect(withoutTaxed(parts, charged('10', 100n))[0]).toEqual(part('10', 0n, 100n));
    expect(withoutTaxed(parts, charged('10', 40n))[2]).toEqual(part('10', 0n, 40n));
    // Some of it was given back since.
    expect(withoutTaxed([part('10', 60n)], charged('10', 100n))).toEqual([part('10', -40n, 100n)]);
  });

  it('what a voided invoice had given back stands again, and does not wait', () =>
    expect(withoutTaxed([part('10', 60n)], charged('10', -40n))).toEqual([part('10', 100n)]));

  it('a void that says no rate is of the newest', () =>
    expect(withoutTaxed([part('10', 100n), part('20', 50n)], { ...sums(50n) })).toEqual([
      part('10', 100n),
      part('20', 0n, 50n),
    ]));
});

describe('a charge that is carried forward', () => {
  const known = (parts: readonly TaxedPart[]): BilledCharge => ({
    ...sums(parts.reduce((sum, { base }) => sum + base, 0n)),
    ...{ taxRate: parts.at(-1)!.taxRate, parts, close: null, voided: null },
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
