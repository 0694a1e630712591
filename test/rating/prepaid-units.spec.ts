import { describe, expect, it } from '@jest/globals';
import { latestChange, latestUnits, unitsDuring } from '../../src/pricing/proration.js';
import { namedId } from '../../src/kernel/ids.js';
import { formatInstant, instant } from '../../src/kernel/instant.js';
import { exactDecimalText } from '../../src/kernel/quantity.js';
import { aComponent, aContent, aTerm } from '../support/builders/billing.js';

const component = aComponent({ prepaid: { units: '20', behavior: 'prorate' } });
const { metricId } = component;
const base = () => aTerm(aContent({ components: [component] })).term;
const january = { start: instant('2026-01-01'), end: instant('2026-02-01') };
const day = (at: string) => formatInstant(instant(at)).slice(8, 10);

/** Returns a term with changes of its units, each as `day units`; the term holds the latest. */
function changed(...changes: readonly string[]) {
  let unitsBefore = '20';
  const prepaidChanges = changes.map((text) => {
    const [at, units] = text.split(' ') as [string, string];
    const change = { metricId, unitsBefore, units, effectiveAt: instant(`2026-01-${at}`), invoiceNow: true };
    unitsBefore = units;
    return change;
  });
  const other = {
    ...prepaidChanges[0]!,
    metricId: namedId('another metric'),
    units: '99',
    unitsBefore: '98',
  };
  const prepaidUnits = [
    { metricId: namedId('another metric'), units: '99' },
    { metricId, units: unitsBefore },
  ];
  const term = { ...base(), prepaidUnits };
  return { term, prepaidChanges: prepaidChanges.length > 0 ? [other, ...prepaidChanges, other] : [] };
}
const held = (term: ReturnType<typeof changed>, window = january) =>
  unitsDuring(component, term, window).map(
    ({ units, during }) => `${day(during.start)}-${day(during.end)} ${exactDecimalText(units)}`,
  );

describe('prepaid units over a window (docs/billing.md#prepaid-units)', () => {
  it('are those of the term, else the default of the plan, else none', () => {
    expect(held({ ...changed(), term: { ...base(), prepaidUnits: [{ metricId, units: '7' }] } })).toEqual([
      '01-01 7',
    ]);
    const ofAnother = { ...base(), prepaidUnits: [{ metricId: namedId('another metric'), units: '7' }] };
    for (const term of [base(), ofAnother]) {
      expect(exactDecimalText(latestUnits(component, { term }, january))).toBe('20');
    }
    expect(exactDecimalText(latestUnits({ metricId, prepaid: null }, { term: base() }, january))).toBe('0');
  });

  it('are those before a change up to its instant, and the changed ones from it on', () => {
    expect(held(changed('11 30'))).toEqual(['01-11 20', '11-01 30']);
    expect(held(changed('11 30', '21 5'))).toEqual(['01-11 20', '11-21 30', '21-01 5']);
    expect(held(changed('11 30', '11 5'))).toEqual(['01-11 20', '11-01 5']);
  });

  it('are the changed ones whole where a change is at its first instant or before', () => {
    expect(held(changed('01 30'))).toEqual(['01-01 30']);
    const [start, end] = [instant('2026-01-15'), instant('2026-01-22')];
    expect(held(changed('11 30', '22 5'), { start, end })).toEqual(['15-22 30']);
    expect(held(changed('18 30', '25 5'), { start, end })).toEqual(['15-18 20', '18-22 30']);
  });

  it('latest are those by its end', () => {
    const term = changed('11 30', '22 5');
    const latestBy = (end: string) =>
      exactDecimalText(latestUnits(component, term, { start: january.start, end: instant(end) }));
    expect(['2026-01-11', '2026-01-12', '2026-01-22', '2026-02-01'].map(latestBy)).toEqual([
      '20',
      '30',
      '30',
      '5',
    ]);
  });

  it('change in the window that has the instant of the change, its first one too', () => {
    const term = changed('11 30', '22 5');
    const within = (start: string, end: string) =>
      latestChange(component, term, { start: instant(start), end: instant(end) })?.units;
    expect(within('2026-01-01', '2026-02-01')).toBe('5');
    expect(within('2026-01-01', '2026-01-22')).toBe('30');
    expect(within('2026-01-11', '2026-01-12')).toBe('30');
    expect(within('2026-01-01', '2026-01-11')).toBeUndefined();
    expect(latestChange(component, { term: base() }, january)).toBeUndefined();
  });
});
