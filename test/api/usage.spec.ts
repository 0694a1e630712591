import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';

const PER_UNIT = [
  {
    type: 'per_unit',
    range_start: 0,
    cost_per_batch: 1,
    metric_units_per_batch: 1,
    batch_rounding_type: 'no_rounding',
  },
];
const GAUGE = { metric_type: 'gauge', aggregation_type: 'max', event_type: 'total', property_name: 'level' };
const KINDS: readonly [name: string, metric: object, component?: object][] = [
  ['count', { aggregation_type: 'count', property_name: undefined }],
  ['sum by week', { aggregation_type: 'sum' }, { reset_interval_unit: 'week', reset_interval_count: 1 }],
  ['max', { aggregation_type: 'max' }],
  ['unique', { aggregation_type: 'unique' }],
  ['average', { aggregation_type: 'average' }],
  [
    'filtered',
    {
      aggregation_type: 'sum',
      categorical_filters: [{ property_name: 'region', operator: 'isin', comparison_value: ['eu'] }],
    },
  ],
  ['level', { ...GAUGE, granularity: 'months', proration: 'days' }],
  [
    'moved',
    { ...GAUGE, event_type: 'delta', property_name: 'delta', granularity: 'months', proration: 'days' },
  ],
  ['busiest day', { metric_type: 'rate', aggregation_type: 'sum', granularity: 'days' }],
];

interface Line {
  readonly name: string;
  readonly start_date: string;
  readonly quantity: number;
}

interface Usage {
  readonly subscription_id: string;
  readonly metric_id: string;
  readonly metric_name: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly quantity: number;
  readonly event_count: number;
  readonly values: readonly { value: string; quantity: number }[] | null;
  readonly other_values: { quantity: number } | null;
  readonly window: {
    readonly start_date: string;
    readonly state: string;
    readonly billed_quantity: number | null;
    readonly invoice_ids: readonly string[];
  };
}

describe('usage', () => {
  let app: TestApp;
  let shop: Shop;
  let plan: string;
  const metrics = new Map<string, string>();

  const usage = async (query: string): Promise<Usage[]> =>
    (await app.request.get(`/api/usage/?customer_id=acme&${query}`).expect(200)).body;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2025-12-20T00:00:00Z' });
    shop = shopOf(app);
    await shop.customer('acme', { timezone: 'America/New_York' });
    const components: object[] = [];
    for (const [metric_name, changes, component] of KINDS) {
      const metric = await shop.metric({ metric_name, property_name: 'n', ...changes });
      metrics.set(metric_name, metric);
      components.push(aComponentBody(metric, { tiers: PER_UNIT, ...component }));
    }
    plan = await shop.plan('Everything', { recurring_charges: [], components });
    await app.advance('2026-01-01T05:00:00Z');
    await shop.subscribe('acme', plan, '2026-01-01T05:00:00Z');
    // Pseudo-random events of January and February with a fixed seed, sent in the order of their times.
    let seed = 14;
    const next = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    const events = Array.from({ length: 120 }, () => ({
      at: new Date(Date.UTC(2026, 0, 1, 5) + next(58 * 86_400) * 1_000).toISOString(),
      properties: {
        n: next(50) - 5,
        level: next(9),
        delta: next(5) - 2,
        region: ['eu', 'us', 'as'][next(3)],
      },
    })).sort((a, b) => (a.at < b.at ? -1 : 1));
    for (const until of ['2026-01-31T00:00:00Z', '2026-02-27T12:00:00Z']) {
      const now = events.filter(({ at }) => at < until);
      await app.advance(until);
      await shop.use(...now);
      events.splice(0, now.length);
    }
    await app.advance('2026-03-01T06:00:00Z');
  });
  afterAll(() => app.stop());

  /** Returns quantities by metric and window. Lines of late usage are added to the quantity of their window. */
  const billedQuantities = async (): Promise<Map<string, number>> => {
    const billed = new Map<string, number>();
    for (const { line_items } of await shop.invoices()) {
      for (const { name, start_date, quantity } of line_items as readonly Line[]) {
        const key = `${name.replace(/ \(late usage.*/, '')} ${start_date}`;
        billed.set(key, (billed.get(key) ?? 0) + quantity);
      }
    }
    return billed;
  };

  it('of a closed window is the quantity of its invoice lines, for metrics of every kind', async () => {
    const billed = await billedQuantities();
    const all = await usage('range_start=2026-01-01T05:00:00Z');
    const closed = all.filter(({ window }) => window.state === 'closed');
    expect(new Set(closed.map(({ metric_name }) => metric_name)).size).toBe(KINDS.length);
    for (const { metric_name, start_date, quantity, window } of closed) {
      expect([metric_name, start_date, window.billed_quantity]).toEqual([metric_name, start_date, quantity]);
      expect(billed.get(`${metric_name} ${start_date}`)).toBeCloseTo(quantity, 9);
    }
    expect(closed.length).toBe(billed.size);
    expect(closed.filter(({ quantity }) => quantity !== 0).length).toBeGreaterThan(20);
  });

  it('of a subscription is that of its customer', async () => {
    const [of] = await usage('range_start=2026-01-01T05:00:00Z&limit=1');
    const ofSubscription = `subscription_id=${of!.subscription_id}&range_start=2026-01-01T05:00:00Z`;
    const { body } = await app.request.get(`/api/usage/?${ofSubscription}`).expect(200);
    expect(body).toEqual(await usage(ofSubscription));
    expect(body[0].customer_id).toBe('acme');
    const past = await app.request
      .get(`/api/usage/?${ofSubscription}&range_end=2026-02-01T05:00:00Z&as_of=2026-02-10T00:00:00Z`)
      .expect(200);
    expect(past.body.length).toBeGreaterThan(KINDS.length - 1);
  });

  it('of nobody is refused, with where usage of all customers is', async () => {
    const { body } = await app.request.get(`/api/usage/?metric_id=${metrics.get('count')}`).expect(400);
    expect(body.validation_errors).toEqual([
      {
        attr: 'customer_id',
        code: 'required',
        detail: expect.stringContaining('GET /api/analytics/usage-by-metric/'),
      },
    ]);
  });

  it('of a subscription whose customer was erased asks for the customer_id', async () => {
    await shop.customer('gone');
    const { subscription_id } = await shop.subscribe('gone', plan, '2026-03-01T05:00:00Z');
    await app.request.post('/api/customers/gone/erase/').expect(200);
    const { body } = await app.request.get(`/api/usage/?subscription_id=${subscription_id}`).expect(400);
    expect(body.validation_errors).toMatchObject([{ attr: 'customer_id', code: 'required' }]);
    await app.request.get(`/api/usage/?subscription_id=${subscription_id}&customer_id=gone`).expect(200);
  });

  it('of the running window is what the draft of its invoice charges', async () => {
    await shop.use({ at: '2026-03-01T05:30:00Z', properties: { n: 4, region: 'eu' } });
    const running = (await usage(`metric_id=${metrics.get('filtered')}`)).filter(
      ({ window }) => window.state === 'running',
    );
    expect(running).toMatchObject([{ quantity: 4, event_count: 1, start_date: '2026-03-01T05:00:00Z' }]);
    const [draft] = await shop.drafts('acme');
    const line = draft.line_items.find(
      ({ name, start_date }: { name: string; start_date: string }) =>
        name === 'filtered' && start_date === '2026-03-01T05:00:00Z',
    );
    expect(line.quantity).toBe(4);
  });

  it('by hour, day and month of the customer adds up to the window', async () => {
    const range = 'range_start=2026-02-01T05:00:00Z&range_end=2026-03-01T05:00:00Z';
    const metric = `metric_id=${metrics.get('count')}`;
    const [window, ...others] = await usage(`${metric}&${range}`);
    expect([window!.window.state, others]).toEqual(['closed', []]);
    for (const granularity of ['hour', 'day', 'month']) {
      const parts = await usage(`${metric}&${range}&granularity=${granularity}&limit=1000`);
      expect(parts.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(window!.quantity);
      expect(parts.length).toBe({ hour: 28 * 24, day: 28, month: 1 }[granularity]);
    }
    const [day] = await usage(`${metric}&${range}&granularity=day`);
    expect([day!.start_date, day!.end_date]).toEqual(['2026-02-01T05:00:00Z', '2026-02-02T05:00:00Z']);
  });

  it('by property value adds up to the window, a page at a time', async () => {
    const query = `metric_id=${metrics.get('count')}&range_start=2026-01-01T05:00:00Z&group_by_property=region`;
    const parts = await usage(query);
    expect(parts.length).toBe(3);
    for (const { quantity, values, other_values } of parts) {
      const sum = values!.reduce((total, value) => total + value.quantity, other_values!.quantity);
      expect(sum).toBe(quantity);
    }
    expect(parts[0]!.values!.map(({ value }) => value)).toEqual(['as', 'eu', 'us']);
    const [first] = await usage(`${query}&limit=1`);
    expect(first).toEqual(parts[0]);
  });

  it('that comes late is in the window at once, and on the invoice with the next run', async () => {
    const metric = `metric_id=${metrics.get('count')}&range_start=2026-02-20T05:00:00Z&range_end=2026-02-21T05:00:00Z`;
    const [before] = await usage(metric);
    await shop.use({ at: '2026-02-20T12:00:00Z', properties: { n: 1 } });
    const [late] = await usage(metric);
    expect(late).toMatchObject({
      quantity: before!.quantity + 1,
      window: { state: 'closed', billed_quantity: before!.quantity },
    });
    await app.advance('2026-04-01T06:00:00Z');
    const [billed] = await usage(metric);
    expect(billed!.window.billed_quantity).toBe(billed!.quantity);
    expect(billed!.window.invoice_ids.length).toBe(2);
  });

  it.each([
    ['an unknown customer', 'customer_id=nobody', 'does_not_exist', 'customer_id'],
    ['no customer', '', 'required', 'customer_id'],
    [
      'an unknown metric',
      `customer_id=acme&metric_id=metric_${'0'.repeat(32)}`,
      'does_not_exist',
      'metric_id',
    ],
    [
      'an unknown subscription',
      `customer_id=acme&subscription_id=sub_${'0'.repeat(32)}`,
      'does_not_exist',
      'subscription_id',
    ],
    [
      'a range that ends before it starts',
      'customer_id=acme&range_start=2030-01-01T00:00:00Z',
      'invalid',
      'range_end',
    ],
    [
      'hours of more than a month',
      'customer_id=acme&granularity=hour&range_start=2026-01-01T00:00:00Z',
      'invalid',
      'range_start',
    ],
  ])('refuses %s', async (_, query, code, attr) => {
    const { body } = await app.request.get(`/api/usage/?${query}`).expect(400);
    expect(body.validation_errors ?? body).toMatchObject([{ code, attr }]);
  });
});
