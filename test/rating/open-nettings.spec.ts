import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { BilledCharge } from '../../src/billing/accounts/domain/account-charges.js';
import {
  type AccountInvoice,
  type Netting,
  openNettings,
  withFundingKeys,
} from '../../src/billing/accounts/domain/account-invoices.js';
import { namedId } from '../../src/kernel/ids.js';

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const keys = (minLength: number) => fc.uniqueArray(fc.constantFrom(...KEYS), { minLength, maxLength: 4 });
const nettings = fc.array(fc.record({ paid: keys(1), reversed: keys(1) }), { maxLength: 7 });

/** Returns the keys that the nettings reach from the given keys, step by step until none is added. */
function closureOf(from: readonly string[], all: readonly Pick<Netting, 'paid' | 'reversed'>[]): Set<string> {
  const found = new Set(from);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { paid, reversed } of all)
      if (paid.some((key) => found.has(key))) for (const key of reversed) found.add(key);
  }
  return found;
}

it('law: a netting is kept while it leads, over others too, from a billed charge to an unpaid or voided one', () => {
  fc.assert(
    fc.property(nettings, keys(0), keys(0), keys(0), (drawn, billed, unpaid, voided) => {
      const all = drawn.map((one, at): Netting => ({ invoiceId: namedId(`invoice ${at}`), ...one }));
      const state = {
        nettings: all,
        billed: new Map(
          [...billed, ...voided].map((key) => [
            key,
            { voidedQuantity: voided.includes(key) ? '1' : null } as BilledCharge,
          ]),
        ),
        invoices: new Map(
          unpaid.map((key) => [
            namedId(key),
            { status: 'unpaid', chargeKeys: new Set([key]) } as unknown as AccountInvoice,
          ]),
        ),
      };
      const met = closureOf([...state.billed.keys()], all);
      const expected = all.filter(
        ({ paid, reversed }) =>
          paid.some((key) => met.has(key)) &&
          [...closureOf(reversed, all)].some((key) => unpaid.includes(key) || voided.includes(key)),
      );
      expect(openNettings(state)).toEqual(expected);
      expect(withFundingKeys(billed, all)).toEqual(closureOf(billed, all));
    }),
  );
});
