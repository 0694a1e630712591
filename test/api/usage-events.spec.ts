import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { pagesOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { until } from '../support/until.js';

const PER_UNIT = perUnitTiers();

interface Listed {
  readonly idempotency_id: string;
  readonly customer_id: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly windows: readonly { readonly state: string; readonly invoice_ids: readonly string[] }[];
}

describe('stored usage events', () => {
  let app: TestApp;
  let shop: Shop;
  let metric: string;
  let subscription: string;

  const list = async (query = ''): Promise<Listed[]> =>
    (await app.request.get(`/api/events/?${query}`).expect(200)).body;
  const statesById = async (query = '') =>
    Object.fromEntries(
      (await list(query)).map((event) => [event.idempotency_id, event.reason ?? event.state]),
    );

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    metric = await shop.metric({
      categorical_filters: [{ property_name: 'region', operator: 'isin', comparison_value: ['eu'] }],
    });
    const plan = await shop.plan('Metered', {
      recurring_charges: [],
      components: [aComponentBody(metric, { tiers: PER_UNIT })],
    });
    for (const customer of ['acme', 'idle']) await shop.customer(customer);
    subscription = (await shop.subscribe('acme', plan, '2026-01-01')).subscription_id;
    const region = { region: 'eu' };
    await shop.use(
      { id: 'january', at: '2026-01-01T00:00:00Z', properties: region },
      { id: 'excluded', at: '2026-01-01T00:00:00Z', properties: { region: 'us' } },
      { id: 'unsubscribed', customer: 'idle', at: '2026-01-01T00:00:00Z', properties: region },
      { id: 'nobody', customer: 'acmee', at: '2026-01-01T00:00:00Z', properties: region },
    );
    await app.request
      .post('/api/track/')
      .send({
        event_name: 'requset',
        customer_id: 'acme',
        idempotency_id: 'misspelt',
        time_created: '2026-01-01T00:00:00Z',
      })
      .expect(201);
    await app.advance('2026-02-05T00:00:00Z');
    await shop.use(
      { id: 'late', at: '2026-01-20T00:00:00Z', properties: region },
      { id: 'february', at: '2026-02-04T00:00:00Z', properties: region },
    );
  });
  afterAll(() => app.stop());

  it('say which window and invoice count them, or why nothing does', async () => {
    expect(await statesById()).toEqual({
      january: 'counted',
      late: 'late',
      february: 'pending',
      excluded: 'filtered_out',
      unsubscribed: 'no_subscription',
      nobody: 'unknown_customer',
      misspelt: 'unknown_event_name',
    });
    const [january] = await list('idempotency_id=january');
    const [invoice] = await shop.invoices();
    expect(january).toMatchObject({
      customer_id: 'acme',
      properties: { region: 'eu' },
      windows: [
        {
          subscription_id: subscription,
          metric_id: metric,
          start_date: '2026-01-01T00:00:00Z',
          end_date: '2026-02-01T00:00:00Z',
          state: 'counted',
          invoice_ids: [invoice.invoice_id],
        },
      ],
    });
  });

  it.each([
    ['customer_id=idle', ['unsubscribed']],
    ['customer_id=acme&event_name=requset', ['misspelt']],
    ['event_name=requset', ['misspelt']],
    [`customer_id=acme&range_start=2026-01-02T00:00:00Z&range_end=2026-02-01T00:00:00Z`, ['late']],
    ['state=uncounted', ['excluded', 'misspelt', 'nobody', 'unsubscribed']],
    ['state=late,pending', ['february', 'late']],
    ['idempotency_id=nobody&customer_id=acme', []],
    ['idempotency_id=misspelt&event_name=requset', ['misspelt']],
    ['idempotency_id=misspelt&event_name=requests', []],
    ['idempotency_id=january&range_start=2026-01-02T00:00:00Z', []],
    ['idempotency_id=january&range_end=2026-01-01T00:00:00Z', []],
    ['idempotency_id=january&state=late', []],
    ['idempotency_id=january&state=counted', ['january']],
  ])('are filtered by %s', async (query, ids) => {
    expect(Object.keys(await statesById(query)).sort()).toEqual(ids);
  });

  it('are filtered by metric and subscription', async () => {
    const ofMetric = ['february', 'january', 'late'];
    expect(Object.keys(await statesById(`metric_id=${metric}`)).sort()).toEqual(ofMetric);
    expect(await statesById(`idempotency_id=misspelt&metric_id=${metric}`)).toEqual({});
    expect(await statesById(`idempotency_id=february&subscription_id=${subscription}`)).toEqual({});
    // February belongs to the renewed term.
    expect(Object.keys(await statesById(`subscription_id=${subscription}`)).sort()).toEqual([
      'january',
      'late',
    ]);
  });

  it.each([
    [
      'an unknown metric',
      `metric_id=metric_${'0'.repeat(32)}`,
      'metric_id',
      'There is no metric with this id. Check the id.',
    ],
    [
      'an unknown subscription',
      `subscription_id=sub_${'0'.repeat(32)}&idempotency_id=january`,
      'subscription_id',
      'There is no subscription with this id. Check the id.',
    ],
    [
      'a text that is no id',
      'subscription_id=x',
      'subscription_id',
      'There is no subscription with this id. Check the id.',
    ],
    [
      'a range that ends before it starts',
      'range_start=2026-02-01T00:00:00Z&range_end=2026-01-01T00:00:00Z',
      'range_end',
      'The end of the range is not after its start. Give a later end.',
    ],
  ])('refuse %s instead of listing nothing', async (_, query, attr, detail) => {
    const { body } = await app.request.get(`/api/events/?${query}`).expect(400);
    expect(body.validation_errors).toMatchObject([{ attr, detail }]);
  });

  const BY_TIME = ['excluded', 'january', 'misspelt', 'nobody', 'unsubscribed', 'late', 'february'];

  it.each([
    ['', BY_TIME],
    ['&customer_id=acme', ['excluded', 'january', 'misspelt', 'late', 'february']],
    ['&event_name=request', ['excluded', 'january', 'nobody', 'unsubscribed', 'late', 'february']],
    ['&state=late,pending', ['late', 'february']],
    ['&customer_id=acme&event_name=request&state=counted', ['january']],
    ['&range_start=2026-01-01T00:00:01Z&range_end=2026-02-04T00:00:00Z', ['late']],
    ['&event_name=none', []],
  ])('come by time on request, of one time by id, both ways and page by page: %s', async (filter, ids) => {
    const paged = async (ordering: string, limit: number) =>
      (await pagesOf<Listed>(app.request, `/api/events/?ordering=${ordering}&limit=${limit}${filter}`))
        .flat()
        .map(({ idempotency_id: id }) => id);
    for (const limit of [1, 2, 3, 100]) {
      expect(await paged('time_created', limit)).toEqual(ids);
      expect(await paged('-time_created', limit)).toEqual(ids.toReversed());
    }
  });

  it('by time do not continue a page of another order, and name the orders there are', async () => {
    const cursors: string[] = [];
    for (const ordering of ['ordering=time_created', 'ordering=-time_created', 'state=counted,uncounted']) {
      const { headers } = await app.request.get(`/api/events/?${ordering}&limit=1`).expect(200);
      cursors.push(/cursor=([\w-]+)/.exec(headers['link'] as string)![1]!);
    }
    const [earliest, latest, indexed] = cursors;
    for (const query of [
      `cursor=${earliest}`,
      `ordering=-time_created&cursor=${earliest}`,
      `ordering=time_created&cursor=${latest}`,
      `ordering=time_created&cursor=${indexed}`,
    ])
      await app.request.get(`/api/events/?${query}`).expect(400);
    const { body } = await app.request.get('/api/events/?ordering=event_name').expect(400);
    const detail = 'Choose from: time_created, -time_created.';
    expect(body.validation_errors).toMatchObject([{ attr: 'ordering', code: 'invalid_choice', detail }]);
  });

  it('come page by page, each once', async () => {
    const seen: string[] = [];
    for (let path: string | undefined = '/api/events/?limit=2'; path !== undefined;) {
      const { body, headers }: Response = await app.request.get(path).expect(200);
      seen.push(...(body as Listed[]).map(({ idempotency_id }) => idempotency_id));
      path = /\/api\/events[^>]+/.exec((headers['link'] as string | undefined) ?? '')?.[0];
    }
    expect(seen).toEqual((await list()).map(({ idempotency_id }) => idempotency_id));
    expect(seen.length).toBe(7);
  });

  it('that came late are on the invoice of the next run', async () => {
    await app.advance('2026-03-02T00:00:00Z');
    const [late] = await list('idempotency_id=late');
    const [newest] = await shop.invoices();
    expect(late).toMatchObject({ state: 'counted', windows: [{ invoice_ids: [newest.invoice_id] }] });
  });

  it('refuse a cursor that no page gave', async () => {
    await app.request.get('/api/events/?cursor=WzFd').expect(400);
  });

  it('of an unknown customer show the id that was sent, until a customer has it', async () => {
    const idOf = async (event: string) => (await list(`idempotency_id=${event}`))[0]!.customer_id;
    expect(await idOf('nobody')).toBe('acmee');
    await shop.use({ id: 'nobody-either', customer: 'soon', at: '2026-02-03T00:00:00Z' });
    expect(await idOf('nobody-either')).toBe('soon');
    await shop.customer('soon');
    expect(await list('idempotency_id=nobody-either')).toMatchObject([
      { customer_id: 'soon', reason: 'no_subscription' },
    ]);
    await app.request.post('/api/customers/soon/erase/').expect(200);
    await shop.use({ id: 'after', customer: 'soon', at: '2026-02-03T00:00:00Z' });
    expect(await idOf('nobody-either')).toBeNull();
    expect(await idOf('after')).toBeNull();
    await until(async () => {
      const { rows } = await app.pool.query('select customer_id from sent_customer_ids');
      return rows.length === 1 && rows[0].customer_id === 'acmee';
    });
  });
});
