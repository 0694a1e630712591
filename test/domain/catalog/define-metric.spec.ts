import { describe, expect, it } from '@jest/globals';
import { metricDecider } from '../../../src/catalog/domain/metric.js';
import type { MetricProposal } from '../../../src/catalog/domain/metric-definition.js';
import { defineMetric } from '../../../src/catalog/domain/metric-definition.js';
import { METRIC_ID, aMetric, aMetricProposal } from '../../support/builders/catalog.js';
import { given, refusalOf } from '../../support/given-when-then.js';

const define = (changes: Partial<MetricProposal> = {}) =>
  ({
    type: 'DefineMetric',
    metricId: METRIC_ID,
    name: 'requests',
    proposal: aMetricProposal(changes),
  }) as const;

const gauge = { metricType: 'gauge', aggregation: 'max', propertyName: 'seats', eventType: 'total' } as const;
const rate = { metricType: 'rate', aggregation: 'sum', propertyName: 'bytes', granularity: 'hours' } as const;

const { archivedAt: _, ...DEFINED } = aMetric();

describe('defining a metric', () => {
  it('keeps the definition with its hash', () => {
    given(metricDecider).when(define()).then({ type: 'MetricDefined', data: DEFINED });
  });

  it('happens once', () => {
    given(metricDecider, [{ type: 'MetricDefined', data: DEFINED }])
      .when(define())
      .refuses('invalid_state');
  });

  it('leaves out what does not concern its type, so that equal metrics have equal definitions', () => {
    const definition = defineMetric(
      aMetricProposal({
        propertyName: 'bytes',
        granularity: 'total',
        eventType: 'delta',
        proration: 'days',
      }),
    );
    expect(definition).toEqual(aMetric().definition);
  });

  it.each<[string, Partial<MetricProposal>, string[]]>([
    ['an event name is needed', { eventName: null }, ['event_name: required']],
    ['an aggregation is needed', { aggregation: null, propertyName: 'x' }, ['aggregation_type: required']],
    [
      'only a count needs no property',
      { aggregation: 'sum', propertyName: null },
      ['property_name: required'],
    ],
    ['a counter runs over the whole period', { granularity: 'days' }, ['granularity: invalid_choice']],
    [
      'a gauge aggregates by max',
      { ...gauge, granularity: 'days', aggregation: 'sum' },
      ['aggregation_type: invalid_choice'],
    ],
    [
      'a gauge needs granularity, event type and property',
      { metricType: 'gauge', aggregation: 'max' },
      ['property_name: required', 'granularity: required', 'event_type: required'],
    ],
    [
      'a proration is finer than its granularity',
      { ...gauge, granularity: 'days', proration: 'days' },
      ['proration: invalid_choice'],
    ],
    ['a rate needs a granularity', { ...rate, granularity: null }, ['granularity: required']],
    [
      'a rate does not count unique values',
      { ...rate, aggregation: 'unique' },
      ['aggregation_type: invalid_choice'],
    ],
    [
      'every fault is named at once',
      { eventName: null, aggregation: 'sum', granularity: 'hours' },
      ['event_name: required', 'property_name: required', 'granularity: invalid_choice'],
    ],
  ])('%s', (_, changes, faults) => {
    const refusal = refusalOf(() => defineMetric(aMetricProposal(changes)));
    expect(refusal.fields.map(({ attr, code }) => `${attr}: ${code}`)).toEqual(faults);
  });

  it('keeps what a gauge and a rate are read by', () => {
    const level = { ...gauge, granularity: 'months', proration: 'days' } as const;
    expect(defineMetric(aMetricProposal(level))).toMatchObject(level);
    expect(defineMetric(aMetricProposal({ ...gauge, granularity: 'total' }))).toMatchObject(gauge);
    expect(
      defineMetric(aMetricProposal({ ...rate, eventType: 'delta', proration: 'seconds' })),
    ).toMatchObject({
      ...rate,
      eventType: null,
      proration: null,
    });
  });

  it('a custom metric is not run, so it is refused, whatever else it says', () => {
    const custom = { metricType: 'custom', eventName: null, aggregation: null } as const;
    given(metricDecider).when(define(custom)).refuses('invalid_operation');
  });
});
