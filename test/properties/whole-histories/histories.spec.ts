import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allHistories } from './same-books.js';
import type { History, Metric, Plan, Step } from '../../calculator/history.js';

const plans = ({ plans: all }: History): readonly Plan[] => Object.values(all);
const metrics = ({ metrics: all }: History): readonly Metric[] => Object.values(all);
const waits = (step: Step): boolean =>
  step.do === 'switch' && step.invoicing_behavior === 'add_to_next_invoice';
const takes = (kind: Step['do']) => (history: History) => history.steps.some((step) => step.do === kind);

/** Optional parts of a history. */
const PARTS: Readonly<Record<string, (history: History) => boolean>> = {
  'a second subscription': ({ steps }) =>
    steps.some((step) => step.do === 'subscribe' && step.subscription === 'S1'),
  'a filter of a subscription': ({ steps }) =>
    steps.some((step) => step.do === 'subscribe' && (step.subscription_filters ?? []).length > 0),
  'a price adjustment of a plan': (history) => plans(history).some((plan) => plan.price_adjustment !== null),
  'a day anchor': (history) => plans(history).some((plan) => plan.day_anchor !== null),
  'a month anchor': (history) => plans(history).some((plan) => plan.month_anchor !== null),
  'an add-on with a component': ({ addons }) =>
    Object.values(addons).some((addon) => addon.components.length > 0),
  'a numeric filter of a metric': (history) =>
    metrics(history).some((metric) => metric.numeric_filters.length > 0),
  'a categorical filter of a metric': (history) =>
    metrics(history).some((metric) => metric.categorical_filters.length > 0),
  'a tax rate': ({ organization }) => organization.tax_rate !== null,
  'a cancellation': takes('cancel'),
  'an update': takes('update'),
  'a switch': takes('switch'),
  'a switch that waits, and an end set before': ({ steps }) =>
    steps.some((step, n) => {
      const next = steps[n + 1];
      return waits(step) && next?.do === 'update' && next.end_date !== null;
    }),
  'a void before a switch that waits': ({ steps }) =>
    steps.some((step, n) => step.do === 'void' && !step.rebill && steps.slice(n).some(waits)),
  'a change of units': takes('change_units'),
  'an add-on': takes('attach'),
  'a cancelled add-on': takes('cancel_addon'),
  'a replaced plan': takes('replace'),
  'a void': takes('void'),
  'a payment': takes('pay'),
  'a credit': takes('credit'),
  'a changed tax rate': takes('tax'),
  usage: takes('track'),
};

describe('random histories', () => {
  const sample = fc.sample(allHistories, { numRuns: 200, seed: 20261122 });

  it.each(Object.entries(PARTS))('have %s in some cases and not in others', (_, has) => {
    const count = sample.filter(has).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(sample.length);
  });
});
