import { describe, expect, it } from '@jest/globals';
import type { RunAddon, RunTerm } from '../../src/billing/rating/run.js';
import { scheduleOf } from '../../src/billing/rating/schedule.js';
import type { PriceContent } from '../../src/pricing/price-content.js';
import { MINUTE, formatInstant, instant } from '../../src/kernel/instant.js';
import type { Cancellation, CompletedSwitch } from '../../src/subscription/domain/term-state.js';
import { WEEK, aCharge, aComponent, aContent, aTerm, type TermChanges } from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/switched-terms.js';

const FIRST = instant('2026-01-01');
const MIDDLE = instant('2026-01-16');
const FEBRUARY = instant('2026-02-01');
const short = (at: string) => formatInstant(instant(at)).replace('T00:00:00Z', '').replace('2026-', '');

/** Returns due items as `from>to @ due date` and type; `+`: after the grace, `moved`: transferred to a successor. */
const dueOf = (term: RunTerm, asOf = '2026-04-01') =>
  scheduleOf(term, instant(asOf), 30n * MINUTE).due.map(
    ({ segment, due: { at, graced }, billingType, recomputed, transferredToSuccessor }) =>
      `${short(segment.start)}>${short(segment.end)} @ ${short(at)}${graced ? '+' : ''} ${billingType}` +
      `${recomputed ? ' recomputed' : ''}${transferredToSuccessor ? ' moved' : ''}`,
  );
const nextOf = (term: RunTerm, asOf: string) => {
  const { next } = scheduleOf(term, instant(asOf), 30n * MINUTE);
  return next && `${short(next.at)}${next.graced ? '+' : ''}`;
};

const fee = aContent({ recurringCharges: [aCharge()] });
const usage = aContent({ components: [aComponent()] });
const { metricId } = aComponent();

function switched(content: PriceContent, changes: Partial<CompletedSwitch> = {}, end = MIDDLE): RunTerm {
  const term = aTerm(content);
  const { term: successor } = aTerm(content, { name: 'successor', start: '2026-01-16' });
  const switching: CompletedSwitch = {
    usage: 'transfer_to_new_subscription',
    invoicing: 'invoice_now',
    moved: [],
    billedAt: end,
    periodEnd: FEBRUARY,
    successor,
    ...changes,
  };
  return { ...term, term: { ...term.term, end }, endedBy: 'switched', switched: switching };
}

/** Returns the term that a switch in the middle of January begins, with the usage of the window. */
function successor(content: PriceContent, billedAt = MIDDLE, changes: TermChanges = {}): RunTerm {
  const whole = aTerm(content, changes);
  const usageSince = [{ metricId, since: FIRST }];
  return { ...whole, term: switchedInto(whole.term, MIDDLE, { billedAt, usage: usageSince }) };
}

describe('a term that was switched away from (docs/billing.md#plan-switches)', () => {
  const later = { invoicing: 'add_to_next_invoice', billedAt: FEBRUARY } as const;

  it('credits back what it charged in advance, at once or at the end of the period', () => {
    expect(dueOf(switched(fee))).toEqual(['01-01>01-16 @ 01-16 in_advance recomputed']);
    expect(dueOf(switched(fee), '2026-01-15')).toEqual(['01-01>01-16 @ 01-01 in_advance']);
    expect(dueOf(switched(fee, later))).toEqual(['01-01>01-16 @ 02-01+ in_advance recomputed']);
    expect(nextOf(switched(fee, later), '2026-01-20')).toBe('02-01+');
  });

  it('bills its usage with the switch, and apart from the new plan’s at the end of the period', () => {
    const apart = { usage: 'keep_separate' } as const;
    expect(dueOf(switched(usage))).toEqual(['01-01>01-16 @ 01-16 in_arrears recomputed']);
    expect(dueOf(switched(usage, apart))).toEqual(['01-01>01-16 @ 02-01+ in_arrears recomputed']);
    expect(dueOf(switched(fee, apart))).toEqual(['01-01>01-16 @ 01-16 in_advance recomputed']);
  });

  it('bills nothing of the metrics whose usage the new plan takes over', () => {
    const seats = aComponent({ metricName: 'seats' });
    const both = switched(aContent({ components: [aComponent(), seats] }), { moved: [metricId] });
    expect(dueOf(both)).toEqual([
      '01-01>01-16 @ 01-16 in_arrears recomputed moved',
      '01-01>01-16 @ 01-16 in_arrears recomputed',
    ]);
  });

  it('keeps the windows that were over before, also of those metrics', () => {
    const weekly = aContent({ components: [aComponent({ resetInterval: WEEK })] });
    expect(dueOf(switched(weekly, { moved: [metricId] }))).toEqual([
      '01-01>01-08 @ 01-16 in_arrears recomputed',
      '01-08>01-15 @ 01-16 in_arrears recomputed',
      '01-15>01-16 @ 01-16 in_arrears recomputed moved',
    ]);
  });

  it('at the end of a window has that window and no further one', () => {
    const weekly = aContent({ components: [aComponent({ resetInterval: WEEK })] });
    const end = instant('2026-01-15');
    expect(dueOf(switched(weekly, { moved: [metricId] }, end))).toEqual([
      '01-01>01-08 @ 01-15 in_arrears recomputed',
      '01-08>01-15 @ 01-15 in_arrears recomputed',
    ]);
  });

  it('measures levels against its whole period, as if it lasted to the end of the period', () => {
    const wholes = (term: RunTerm) =>
      scheduleOf(term, instant('2026-04-01'), 30n * MINUTE).due.map(
        ({ period: { whole } }) => `${short(whole.start)}>${short(whole.end)}`,
      );
    expect(wholes(switched(usage))).toEqual(['01-01>02-01']);
    expect(wholes({ ...aTerm(usage, { end: '2026-01-16' }), endedBy: 'cancelled' })).toEqual(['01-01>01-16']);
    const long = switched(usage, { periodEnd: instant('2026-03-01') }, instant('2026-02-10'));
    expect(wholes(long)).toEqual(['01-01>02-01', '02-01>03-01']);
    const atBoundary = switched(usage, { periodEnd: instant('2026-03-01') }, FEBRUARY);
    expect(wholes(atBoundary)[0]).toBe('01-01>02-01');
  });

  it('at its very start is credited back what it charged, and counts nothing', () => {
    expect(dueOf(switched(fee, {}, FIRST))).toEqual(['01-01>01-01 @ 01-01 in_advance recomputed']);
    expect(dueOf(switched(usage, {}, FIRST))).toEqual([]);
    const tookOver = switched(usage);
    const between = switchedInto(tookOver.term, MIDDLE, { usage: [{ metricId, since: FIRST }] });
    expect(dueOf({ ...tookOver, term: between })).toEqual([]);
  });
});

describe('a term that a switch began', () => {
  it('charges its fees with the switch, or at the end of the period', () => {
    expect(dueOf(successor(fee))).toEqual(['01-16>02-01 @ 01-16 in_advance']);
    expect(dueOf(successor(fee, FEBRUARY))).toEqual(['01-16>02-01 @ 02-01+ in_advance']);
    const long = successor(fee, FEBRUARY, { end: '2026-03-01' });
    expect(dueOf(long)).toEqual(['01-16>02-01 @ 02-01+ in_advance', '02-01>03-01 @ 02-01+ in_advance']);
  });

  it('counts the usage of the window from where that began, and of later windows from theirs', () => {
    expect(dueOf(successor(usage))).toEqual(['01-01>02-01 @ 02-01+ in_arrears recomputed']);
    const weekly = aContent({ components: [aComponent({ resetInterval: WEEK })] });
    expect(dueOf(successor(weekly)).slice(0, 2)).toEqual([
      '01-01>01-22 @ 02-01+ in_arrears recomputed',
      '01-22>01-29 @ 02-01+ in_arrears recomputed',
    ]);
  });

  it('that is settled before its fees are billed charges only what is left of them', () => {
    const term = successor(fee, FEBRUARY);
    const end = instant('2026-01-20');
    const cancelled: Cancellation = {
      flatFee: null,
      usage: 'bill_full',
      invoicing: 'invoice_now',
      billedAt: end,
    };
    const ended: RunTerm = { ...term, term: { ...term.term, end }, endedBy: 'cancelled', cancelled };
    expect(dueOf(ended)).toEqual(['01-16>01-20 @ 01-20 in_advance recomputed']);
    expect(nextOf(ended, '2026-01-19')).toBe('01-20');
    expect(nextOf(ended, '2026-01-20')).toBeNull();
  });
});

describe('a term that was cancelled, or whose end was moved', () => {
  const cancelled = (content: PriceContent, changes: Partial<Cancellation> = {}): RunTerm => {
    const term = aTerm(content, { end: '2026-01-20' });
    const settled = { flatFee: null, usage: 'bill_full', invoicing: 'invoice_now' } as const;
    return { ...term, endedBy: 'cancelled', cancelled: { ...settled, billedAt: term.term.end, ...changes } };
  };

  it('drops the usage that is open, and bills what was due before', () => {
    const weekly = aContent({ components: [aComponent({ resetInterval: WEEK, invoicingInterval: WEEK })] });
    const dropped = cancelled(weekly, { usage: 'bill_none' });
    expect(dueOf(dropped)).toEqual([
      '01-01>01-08 @ 01-08+ in_arrears recomputed',
      '01-08>01-15 @ 01-15+ in_arrears recomputed',
    ]);
    expect(dueOf(cancelled(usage, { usage: 'bill_none' }))).toEqual([]);
    const arrears = aContent({ recurringCharges: [aCharge({ timing: 'in_arrears' })] });
    expect(dueOf(cancelled(arrears, { usage: 'bill_none' }))).toEqual([
      '01-01>01-20 @ 01-20 in_arrears recomputed',
    ]);
  });

  it('computes at its end again what it charged in advance', () => {
    const moved = { ...aTerm(fee, { end: '2026-01-20' }), endMoved: true };
    expect(dueOf(moved)).toEqual(['01-01>01-20 @ 01-20+ in_advance recomputed']);
    expect(dueOf(moved, '2026-01-20T00:29:00Z')).toEqual(['01-01>01-20 @ 01-01 in_advance']);
    expect(dueOf(aTerm(fee, { end: '2026-01-20' }))).toEqual(['01-01>01-20 @ 01-01 in_advance']);
  });

  it('at the end of a window waits for nothing more, and counts no usage after it', () => {
    const weekly = aContent({
      recurringCharges: [aCharge({ resetInterval: WEEK })],
      components: [aComponent({ resetInterval: WEEK })],
    });
    const atBoundary = instant('2026-01-15');
    const term = cancelled(weekly, { billedAt: atBoundary });
    const cut = { ...term, term: { ...term.term, end: atBoundary } };
    expect(nextOf(cut, '2026-01-15')).toBeNull();
    const waiting = { invoicing: 'add_to_next_invoice', billedAt: FEBRUARY } as const;
    expect(nextOf({ ...cut, cancelled: { ...cut.cancelled!, ...waiting } }, '2026-01-15')).toBe('02-01+');
    expect(dueOf(cut, '2026-01-15').filter((item) => item.includes('in_arrears'))).toEqual([
      '01-01>01-08 @ 01-15 in_arrears recomputed',
      '01-08>01-15 @ 01-15 in_arrears recomputed',
    ]);
  });

  it('looks at the window that would have begun at its very end, which may have been charged', () => {
    const weekly = aContent({ recurringCharges: [aCharge({ resetInterval: WEEK })] });
    const term = cancelled(weekly);
    const atBoundary = instant('2026-01-15');
    const cut = { ...term, term: { ...term.term, end: atBoundary } };
    expect(dueOf({ ...cut, cancelled: { ...term.cancelled!, billedAt: atBoundary } })).toContain(
      '01-01>01-08 @ 01-15 in_advance recomputed',
    );
    const monthly = { ...cancelled(fee), term: { ...aTerm(fee).term, end: FEBRUARY } };
    expect(dueOf({ ...monthly, cancelled: { ...term.cancelled!, billedAt: FEBRUARY } })).toEqual([
      '01-01>02-01 @ 02-01 in_advance recomputed',
      '02-01>02-01 @ 02-01 in_advance recomputed',
    ]);
  });
});

describe('a change of prepaid units', () => {
  const prepaid = aContent({ components: [aComponent({ prepaid: { units: '20', behavior: 'full' } })] });
  const changed = (changes: Partial<RunTerm> = {}, settledAtEnd?: true): RunTerm => ({
    ...aTerm(prepaid),
    prepaidChanges: [
      {
        metricId,
        unitsBefore: '20',
        units: '30',
        effectiveAt: MIDDLE,
        invoiceNow: true,
        ...(settledAtEnd && { settledAtEnd }),
      },
    ],
    ...changes,
  });
  const charged = (term: RunTerm) => dueOf(term, '2026-01-25');

  it('is due from its instant on, over the whole window', () => {
    expect(charged(changed())).toEqual(['01-01>02-01 @ 01-16 in_advance recomputed']);
    expect(charged(aTerm(prepaid))).toEqual(['01-01>02-01 @ 01-01 in_advance']);
    const later = { ...aTerm(prepaid, { end: '2026-03-01' }), prepaidChanges: changed().prepaidChanges! };
    expect(dueOf(later, '2026-02-10')[0]).toBe('01-01>02-01 @ 01-16 in_advance recomputed');
  });

  it('of a window that is over waits for no settlement', () => {
    const weekly = aContent({
      components: [aComponent({ prepaid: { units: '20', behavior: 'full' }, resetInterval: WEEK })],
    });
    const { term } = aTerm(weekly, { end: '2026-01-28' });
    const inFirst = { ...changed().prepaidChanges![0]!, effectiveAt: instant('2026-01-05') };
    const cut = changed({ ...aTerm(weekly), term, endedBy: 'cancelled', prepaidChanges: [inFirst] });
    expect(dueOf(cut, '2026-01-12')[0]).toBe('01-01>01-08 @ 01-05 in_advance recomputed');
  });

  it('waits for an end that was set after it, and for the settlement of a cut', () => {
    const end = { ...aTerm(prepaid).term, end: instant('2026-01-28') };
    expect(charged(changed({ term: end }))).toEqual(['01-01>01-28 @ 01-16 in_advance recomputed']);
    expect(charged(changed({ term: end, endMoved: true }, true))).toEqual(['01-01>01-28 @ 01-01 in_advance']);
    const billedAt = instant('2026-01-28');
    const cancelled = { flatFee: null, usage: 'bill_full', invoicing: 'invoice_now', billedAt } as const;
    expect(charged(changed({ term: end, endedBy: 'cancelled', cancelled }))).toEqual([
      '01-01>01-28 @ 01-01 in_advance',
    ]);
  });
});

describe('the fees of an add-on (docs/billing.md#add-ons)', () => {
  const addon = (changes: Partial<RunAddon>, content = fee): RunTerm => ({
    ...aTerm(content),
    addon: { once: false, advanceChargesAtEnd: false, endsWithTerm: true, ...changes } as RunAddon,
  });

  it('are due at its start, or at its end', () => {
    expect(dueOf(addon({}))).toEqual(['01-01>02-01 @ 01-01 in_advance']);
    expect(dueOf(addon({ advanceChargesAtEnd: true }))).toEqual([
      '01-01>02-01 @ 02-01+ in_arrears recomputed',
    ]);
  });

  it('sold once are charged once, whatever their windows', () => {
    const weekly = aContent({
      recurringCharges: [aCharge({ resetInterval: WEEK })],
      components: [aComponent({ resetInterval: WEEK })],
    });
    const due = dueOf(addon({ once: true }, weekly));
    expect(due[0]).toBe('01-01>01-08 @ 01-01 one_time');
    expect(due.slice(1)).toHaveLength(5);
    expect(due[1]).toBe('01-01>01-08 @ 02-01+ in_arrears recomputed');
    expect(dueOf(addon({ once: true, advanceChargesAtEnd: true }))).toEqual([
      '01-01>02-01 @ 02-01+ one_time recomputed',
    ]);
    const arrears = aContent({ recurringCharges: [aCharge({ timing: 'in_arrears' })] });
    expect(dueOf(addon({ once: true }, arrears))).toEqual(['01-01>02-01 @ 02-01+ one_time recomputed']);
  });
});

describe('a preview', () => {
  it('leaves out the periods that it does not look at', () => {
    const long = aTerm(fee, { end: '2026-04-01' });
    expect(dueOf({ ...long, periodsBegunBy: FEBRUARY })).toEqual([
      '01-01>02-01 @ 01-01 in_advance',
      '02-01>03-01 @ 02-01+ in_advance',
    ]);
    expect(dueOf(long)).toHaveLength(3);
  });
});
