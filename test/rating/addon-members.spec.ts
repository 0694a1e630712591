import { describe, expect, it } from '@jest/globals';
import { addonMember } from '../../src/billing/rating/run-terms.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import type { Cancellation } from '../../src/subscription/domain/term-state.js';
import type { TermAddon } from '../../src/subscription/domain/events.js';
import { aCharge, aComponent, aContent, aTerm } from '../support/builders/billing.js';
import { anAddon, switchedInto } from '../support/builders/switched-terms.js';

const FIFTH = instant('2026-01-05');
const TENTH = instant('2026-01-10');
const TWENTIETH = instant('2026-01-20');
const FEBRUARY = instant('2026-02-01');
const prices = aContent({ recurringCharges: [aCharge({ amount: '10.00' })] });
const cancellation = (billedAt: Instant, changes: Partial<Cancellation> = {}): Cancellation => ({
  flatFee: null,
  usage: 'bill_full',
  invoicing: 'invoice_now',
  billedAt,
  ...changes,
});

const parent = () => aTerm(aContent({ recurringCharges: [aCharge()], components: [aComponent()] }));
const member = (addon: Partial<TermAddon> = {}, changes: Partial<RunTerm> = {}) =>
  addonMember({ ...parent(), ...changes }, anAddon(TENTH, addon), prices);

describe('an add-on in a run (docs/billing.md#add-ons)', () => {
  it('has the periods, the anchor and the zone of its term, its own prices and its own start', () => {
    const term: RunTerm['term'] = {
      ...switchedInto(parent().term, FIFTH),
      prepaidUnits: [{ metricId: aComponent().metricId, units: '5' }],
      addons: [anAddon(TENTH)],
    };
    expect(member({}, { term })).toEqual({
      ...parent(),
      term: {
        ...parent().term,
        start: TENTH,
        basis: { ...parent().term.basis, contentHash: 'the hash of its prices' },
      },
      content: prices,
      contentHash: 'the hash of its prices',
      addon: {
        addonSubscriptionId: namedId('an add-on of the term'),
        addonId: namedId('an add-on'),
        addonVersionId: namedId('a version of the add-on'),
        name: 'Support',
        quantity: 3,
        once: false,
        advanceChargesAtEnd: false,
        endsWithTerm: true,
      },
    });
  });

  it.each([
    [{ billingFrequency: 'one_time' }, { once: true, advanceChargesAtEnd: false }],
    [{ invoiceWhen: 'invoice_on_subscription_end' }, { once: false, advanceChargesAtEnd: true }],
  ] as const)('is charged as it was sold: %j', (sold, expected) => {
    expect(member(sold).addon).toMatchObject(expected);
  });

  it('is a renewal when one carried it over, whatever its term is', () => {
    expect(member({ renewed: true }).renewal).toBe(true);
    expect(member({ renewed: false }, { renewal: true }).renewal).toBe(false);
  });

  it('ends with its term and for the same cause: a cancellation, or an end that was moved', () => {
    const cancelled = cancellation(TWENTIETH);
    expect(member({}, { endedBy: 'cancelled', cancelled })).toMatchObject({
      endedBy: 'cancelled',
      cancelled,
    });
    expect(member({}, { endMoved: true })).toMatchObject({ endedBy: null, endMoved: true });
    for (const name of ['cancelled', 'endMoved']) expect(member()).not.toHaveProperty(name);
  });

  it('is not settled by a switch of its term, with which it moves', () => {
    const switched = { ...cancellation(TWENTIETH), moved: [] } as unknown as RunTerm['switched'];
    expect(member({}, { endedBy: 'switched', switched: switched! })).not.toHaveProperty('switched');
  });
});

describe('an add-on that was cancelled on its own', () => {
  const own = { ...cancellation(TWENTIETH, { flatFee: 'refund' }), end: TWENTIETH };

  it('ends at its own cancellation, as its own terms say, and not with its term', () => {
    expect(member({ cancelled: own })).toMatchObject({
      term: { start: TENTH, end: TWENTIETH, scheduledEnd: false },
      endedBy: 'cancelled',
      cancelled: cancellation(TWENTIETH, { flatFee: 'refund' }),
      addon: { endsWithTerm: false },
    });
  });

  it('ends with its term at the latest', () => {
    expect(member({ cancelled: { ...own, end: instant('2026-03-01') } }).term.end).toBe(FEBRUARY);
  });

  it('is settled with its term where that is billed before, and else by itself', () => {
    const later = { ...own, ...cancellation(FEBRUARY, { invoicing: 'add_to_next_invoice' }) };
    const billedWith = (cancelled: Cancellation | undefined) =>
      member({ cancelled: later }, cancelled ? { endedBy: 'cancelled', cancelled } : {}).cancelled;
    const alone = cancellation(FEBRUARY, { invoicing: 'add_to_next_invoice' });
    expect(billedWith(undefined)).toEqual(alone);
    expect(billedWith(cancellation(TWENTIETH, { flatFee: 'charge_full' }))).toEqual(cancellation(TWENTIETH));
    expect(billedWith(cancellation(FEBRUARY))).toEqual(alone);
    expect(billedWith(cancellation(instant('2026-02-02')))).toEqual(alone);
  });
});
