import { describe, expect, it } from '@jest/globals';
import { instant } from '../../../src/kernel/instant.js';
import type { SubscriptionEvent } from '../../../src/subscription/domain/events.js';
import { termDecider } from '../../../src/subscription/domain/term-decider.js';
import { aPriceContent } from '../../support/builders/catalog.js';
import { SUBSCRIPTION_ID, aTermPricing, aTerm, started } from '../../support/builders/subscription.js';
import { NOW, given } from '../../support/given-when-then.js';

const [component] = aPriceContent().components;
const contentWith = (units: string | null) =>
  aPriceContent({
    components: [
      { ...component!, metricId: 'seats', metricName: 'seats', prepaid: { units, behavior: 'full' } },
      { ...component!, metricId: 'calls', metricName: 'calls', prepaid: null },
    ],
  });
const pricing = aTermPricing({ version: { content: contentWith('10') } });
const TERM = aTerm({ pricing });

const command = (units: string, invoiceNow = true, metricId = 'seats') =>
  ({ type: 'ChangePrepaidUnits', change: { metricId, units, invoiceNow } }) as const;

const changed = (
  unitsBefore: string,
  units: string,
  { invoiceNow = true, effectiveAt = NOW } = {},
): SubscriptionEvent => ({
  type: 'PrepaidUnitsChanged',
  data: {
    subscriptionId: SUBSCRIPTION_ID,
    customerKey: TERM.customerKey,
    currency: 'USD',
    metricId: 'seats',
    units,
    unitsBefore,
    effectiveAt,
    invoiceNow,
  },
});

const stateOf = (...events: SubscriptionEvent[]) => events.reduce(termDecider.evolve, termDecider.initial());

describe('changing prepaid units', () => {
  it('applies from now on, and says what they were before', () => {
    given(termDecider, [started(TERM)])
      .when(command('20'))
      .then(changed('10', '20'));
    given(termDecider, [started(TERM)])
      .when(command('0', false))
      .then(changed('10', '0', { invoiceNow: false }));
  });

  it('to what they are is nothing', () => {
    given(termDecider, [started(TERM)])
      .when(command('10'))
      .nothing();
    given(termDecider, [started(TERM), changed('10', '20')])
      .when(command('20'))
      .nothing();
    given(termDecider, [started(TERM), changed('10', '20')])
      .when(command('20', false))
      .nothing();
  });

  it('to what they are asks for the invoice that an earlier change still waits for', () => {
    given(termDecider, [started(TERM), changed('10', '20', { invoiceNow: false })])
      .when(command('20'))
      .then(changed('20', '20'));
  });

  it('is refused for a metric without a prepaid charge, in the plan or not', () => {
    given(termDecider, [started(TERM)])
      .when(command('5', true, 'calls'))
      .refuses('invalid_operation');
    given(termDecider, [started(TERM)])
      .when(command('5', true, 'other'))
      .refuses('invalid_operation');
  });

  it('is refused once the term is over, and before there is one', () => {
    given(termDecider, [started(TERM)])
      .when(command('20'), { now: TERM.end })
      .refuses('invalid_state');
    given(termDecider).when(command('20')).refuses('resource_not_found');
  });

  it('leaves the term with the latest units and every change in order', () => {
    const { term, prepaidChanges } = stateOf(started(TERM), changed('10', '20'), changed('20', '5'))!;
    expect(term.prepaidUnits).toEqual([{ metricId: 'seats', units: '5' }]);
    expect(prepaidChanges.map(({ unitsBefore, units }) => [unitsBefore, units])).toEqual([
      ['10', '20'],
      ['20', '5'],
    ]);
  });

  it('before the end is moved, is settled at the end; after it, is not', () => {
    const end = instant('2026-01-20');
    const moved: SubscriptionEvent = {
      type: 'EndDateChanged',
      data: { subscriptionId: SUBSCRIPTION_ID, end, effectiveAt: NOW },
    };
    const state = stateOf(started(TERM), changed('10', '20'), moved, changed('20', '5'))!;
    expect(state.prepaidChanges.map(({ settledAtEnd }) => settledAtEnd ?? false)).toEqual([true, false]);
  });
});

describe('a renewal', () => {
  const closed = (renewal: ReturnType<typeof aTermPricing>, ...events: SubscriptionEvent[]) => {
    const [event] = given(termDecider, [started(TERM), ...events])
      .when({ type: 'CloseTerm', renewal }, { now: TERM.end })
      .decided();
    return event?.type === 'SubscriptionRenewed' ? event.data.successor.prepaidUnits : event;
  };

  it('carries the latest units', () => {
    expect(closed(pricing, changed('10', '25'))).toEqual([{ metricId: 'seats', units: '25' }]);
  });

  it('takes the default of a version that has a metric prepaid which the one before had not', () => {
    const content = aPriceContent({
      components: [{ ...component!, metricId: 'calls', prepaid: { units: '7', behavior: 'full' } }],
    });
    expect(closed(aTermPricing({ version: { content } }))).toEqual([{ metricId: 'calls', units: '7' }]);
  });

  it('with neither continues without prepaid units: a boundary refuses nobody', () => {
    const content = aPriceContent({
      components: [{ ...component!, metricId: 'calls', prepaid: { units: null, behavior: 'full' } }],
    });
    expect(closed(aTermPricing({ version: { content } }))).toEqual([{ metricId: 'calls', units: '0' }]);
  });
});
