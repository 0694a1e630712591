import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMetricBody } from '../support/builders/catalog-bodies.js';

describe('metrics', () => {
  let app: TestApp;
  const post = (body: object) => app.request.post('/api/metrics/').send(body);
  const faultsOf = async (body: object): Promise<string[]> => {
    const { body: problem } = await post(body).expect(400);
    expect(problem.type).toMatch(/#validation-error$/);
    return problem.validation_errors.map(
      (fault: { attr: string; code: string }) => `${fault.attr}: ${fault.code}`,
    );
  };

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  it('are answered with every field of the resource, and read back the same', async () => {
    const { body: metric } = await post(
      aMetricBody({
        metric_name: ' bytes of images ',
        event_name: 'transfer',
        aggregation_type: 'sum',
        property_name: 'bytes',
        numeric_filters: [{ property_name: 'bytes', operator: 'gt', comparison_value: 0.1 }],
        categorical_filters: [{ property_name: 'type', operator: 'isin', comparison_value: ['image'] }],
        is_cost_metric: true,
      }),
    ).expect(201);
    expect(metric).toEqual({
      metric_id: expect.stringMatching(/^metric_[0-9a-f]{32}$/),
      metric_name: 'bytes of images',
      event_name: 'transfer',
      property_name: 'bytes',
      aggregation_type: 'sum',
      metric_type: 'counter',
      granularity: 'total',
      event_type: null,
      proration: null,
      numeric_filters: [{ property_name: 'bytes', operator: 'gt', comparison_value: 0.1 }],
      categorical_filters: [{ property_name: 'type', operator: 'isin', comparison_value: ['image'] }],
      is_cost_metric: true,
      custom_sql: null,
    });
    const { body: read } = await app.request.get(`/api/metrics/${metric.metric_id}/`).expect(200);
    expect(read).toEqual(metric);
    const { body: list } = await app.request.get('/api/metrics/').expect(200);
    expect(list).toContainEqual(metric);
  });

  it('take the aggregation under its other name, too', async () => {
    const body = aMetricBody({
      metric_name: 'other name',
      aggregation_type: undefined,
      usage_aggregation_type: 'count',
    });
    const { body: metric } = await post(body).expect(201);
    expect(metric.aggregation_type).toBe('count');
  });

  it('have a name of their own', async () => {
    await post(aMetricBody({ metric_name: 'taken' })).expect(201);
    const { body } = await post(aMetricBody({ metric_name: 'taken' })).expect(400);
    expect(body.title).toBe('duplicate_resource');
  });

  it('that were refused leave their name to others', async () => {
    await post(aMetricBody({ metric_name: 'second try', metric_type: 'custom' })).expect(400);
    await post(aMetricBody({ metric_name: 'second try' })).expect(201);
  });

  it('that are custom are refused with what is allowed', async () => {
    const custom = { metric_type: 'custom', custom_sql: 'select 1', event_name: undefined };
    const refused = post(aMetricBody({ metric_name: 'custom', ...custom, aggregation_type: undefined }));
    const { body } = await refused.expect(400);
    expect(body).toMatchObject({ title: 'invalid_operation', type: expect.stringMatching(/#client-error$/) });
    expect(body.detail).toMatch(/counter/);
  });

  it.each<[string, object]>([
    ['gauge', { event_type: 'delta', granularity: 'months', proration: 'days', aggregation_type: 'max' }],
    ['gauge', { event_type: 'total', granularity: 'total', proration: null, aggregation_type: 'max' }],
    ['rate', { event_type: null, granularity: 'hours', proration: null, aggregation_type: 'sum' }],
  ])('of type %s are read back as they were defined', async (metric_type, fields) => {
    const defined = { metric_type, property_name: 'x', ...fields };
    const metric_name = JSON.stringify(fields);
    const { body } = await post(aMetricBody({ metric_name, ...defined })).expect(201);
    expect(body).toMatchObject(defined);
  });

  it.each<[string, object, string[]]>([
    [
      'nothing',
      {},
      [
        'metric_name: required',
        'metric_type: required',
        'event_name: required',
        'aggregation_type: required',
      ],
    ],
    [
      'an unknown type without what every type needs',
      { metric_name: 'x', metric_type: 'meter', aggregation_type: 'sum' },
      ['metric_type: invalid_choice', 'event_name: required', 'property_name: required'],
    ],
    ['a blank name', aMetricBody({ metric_name: '  ' }), ['metric_name: blank']],
    ['a long name', aMetricBody({ metric_name: 'x'.repeat(201) }), ['metric_name: max_length']],
    ['an unknown type', aMetricBody({ metric_type: 'meter' }), ['metric_type: invalid_choice']],
    [
      'an unknown aggregation',
      aMetricBody({ aggregation_type: 'median' }),
      ['aggregation_type: invalid_choice'],
    ],
    ['a sum of nothing', aMetricBody({ aggregation_type: 'sum' }), ['property_name: required']],
    ['a counter per day', aMetricBody({ granularity: 'days' }), ['granularity: invalid_choice']],
    [
      'wrong fields and broken rules at once',
      {
        metric_type: 'gauge',
        aggregation_type: 'sum',
        event_type: 'level',
        proration: 'days',
        granularity: 'days',
      },
      [
        'metric_name: required',
        'event_type: invalid_choice',
        'event_name: required',
        'aggregation_type: invalid_choice',
        'property_name: required',
        'proration: invalid_choice',
      ],
    ],
    ['a filter that is null', aMetricBody({ categorical_filters: [null] }), ['categorical_filters.0: null']],
    [
      'a wrong filter',
      aMetricBody({ numeric_filters: [{ property_name: 'x', operator: 'ne', comparison_value: 'many' }, 7] }),
      [
        'numeric_filters.0.operator: invalid_choice',
        'numeric_filters.0.comparison_value: invalid',
        'numeric_filters.1: invalid',
      ],
    ],
  ])('of %s name every fault', async (_, body, faults) => {
    expect(await faultsOf(body)).toEqual(faults);
  });

  it('of another tenant are exactly as unknown as those that do not exist', async () => {
    const other = await anotherTenant(app);
    const { body: metric } = await other.request.post('/api/metrics/').send(aMetricBody()).expect(201);
    for (const id of [metric.metric_id, 'metric_00000000000000000000000000000000', 'nonsense']) {
      const { body } = await app.request.get(`/api/metrics/${id}/`).expect(404);
      expect(body.title).toBe('not_found');
    }
    const { body: list } = await other.request.get('/api/metrics/').expect(200);
    expect(list).toEqual([metric]);
  });

  it('list the newest first, then by name, page by page', async () => {
    const other = await anotherTenant(app);
    for (const metric_name of ['b', 'c', 'a']) {
      await other.request.post('/api/metrics/').send(aMetricBody({ metric_name })).expect(201);
    }
    const first = await other.request.get('/api/metrics/?limit=2').expect(200);
    const next = /<(.+)>; rel="next"/.exec(first.headers['link']!)![1]!;
    const second = await other.request.get(next.replace(app.url, '')).expect(200);
    const names = [...first.body, ...second.body].map(
      ({ metric_name }: { metric_name: string }) => metric_name,
    );
    expect(names).toEqual(['a', 'b', 'c']);
    expect(second.headers['link']).toBeUndefined();
  });
});
