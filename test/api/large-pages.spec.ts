import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nextPath } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';

/** Limit of a page, with its last entry: a customer with 20 subscriptions has 4 MB. */
const MOST = 24 * 1024 * 1024;
const CUSTOMERS = 6;
const SUBSCRIPTIONS = 20;
const PLANS = 15;
/** Windows that count each event, of 300 bytes each. */
const COUNTED = 100;
const EVENTS = 900;
const ALL_SUBSCRIPTIONS = CUSTOMERS * SUBSCRIPTIONS + COUNTED;
const CREDITS = 12;
/** Drawdowns of each credit, of 200 bytes each. */
const DRAWDOWNS = 10_000;
/** A character of 3 bytes: lengths are limited in characters. */
const LARGE = '€';

describe('a list of large entries', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    const shop = shopOf(app);
    const plan = await shop.plan('Flat');
    const filters = Array.from({ length: 49 }, (_, n) => ({
      property_name: `property ${n}`,
      value: LARGE.repeat(1_000),
    }));
    for (let customer = 0; customer < CUSTOMERS; customer += 1) {
      await shop.customer(`customer-${customer}`);
      for (let n = 0; n < SUBSCRIPTIONS; n += 1) {
        await shop.subscribe(`customer-${customer}`, plan, '2026-01-01', {
          metadata: { note: LARGE.repeat(20_000) },
          subscription_filters: [{ property_name: 'number', value: String(n) }, ...filters],
        });
      }
    }
    const features: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      const body = { feature_name: `Feature ${n}`, feature_description: LARGE.repeat(5_000) };
      features.push((await app.request.post('/api/features/').send(body).expect(201)).body.feature_id);
    }
    for (let n = 0; n < PLANS; n += 1) await shop.plan(`Plan ${n}`, { features });
    const metric = await shop.metric({ event_name: 'counted often' });
    const counted = await shop.plan('Counted', { components: [aComponentBody(metric)] });
    const often = Object.fromEntries(Array.from({ length: COUNTED }, (_, n) => [`property ${n}`, 'x']));
    await shop.customer('counted');
    for (const property_name of Object.keys(often))
      await shop.subscribe('counted', counted, '2026-01-01', {
        subscription_filters: [{ property_name, value: 'x' }],
      });
    const used = {
      customer: 'counted',
      name: 'counted often',
      at: '2026-01-01T00:00:00Z',
      properties: often,
    };
    await shop.use(...Array.from({ length: EVENTS }, (_, n) => ({ ...used, id: `event-${n}` })));
    const credit = { customer_id: 'customer-0', amount: 1, currency_code: 'EUR', description: LARGE };
    for (let n = 0; n < CREDITS; n += 1) await app.request.post('/api/credits/').send(credit).expect(201);
    expect((await app.request.get('/api/credits/?customer_id=customer-0')).body).toHaveLength(CREDITS);
    await app.pool.query(
      `insert into credit_drawdowns (org, credit_id, invoice_id, amount, applied_at)
       select org, credit_id, gen_random_uuid(), 0.01, '2026-01-01' from credits, generate_series(1, ${DRAWDOWNS})`,
    );
  });
  afterAll(() => app.stop());

  /** Returns the ids of the entries of each page. It asks as a client does: comparing so much with the contract takes long. */
  async function idsOf(name: string, id: string, query: string, limit = 1_000): Promise<string[][]> {
    const pages: string[][] = [];
    for (let next: string | undefined = `/api/${name}/?limit=${limit}${query}`; next !== undefined;) {
      const answer = await fetch(app.url + next, { headers: { 'X-API-KEY': app.key } });
      const text = await answer.text();
      expect(Buffer.byteLength(text)).toBeLessThan(MOST);
      pages.push((JSON.parse(text) as Record<string, string>[]).map((entry) => entry[id]!));
      next = nextPath(Object.fromEntries(answer.headers));
    }
    return pages;
  }

  it.each([
    ['subscriptions', 'subscription_id', '&ordering=-end_date', ALL_SUBSCRIPTIONS],
    ['customers', 'customer_id', '', CUSTOMERS + 1],
    ['invoices', 'invoice_id', '', ALL_SUBSCRIPTIONS],
    ['plans', 'plan_id', '', PLANS + 2],
    ['events', 'idempotency_id', '&customer_id=counted', EVENTS],
    ['events', 'idempotency_id', '&customer_id=counted&ordering=-time_created', EVENTS],
    ['credits', 'credit_id', '&customer_id=customer-0', CREDITS],
    ['credits', 'credit_id', '&customer_id=customer-0&ordering=amount', CREDITS],
  ])('of %s by %s%s ends a page early, and has all %d once', async (name, id, query, count) => {
    const pages = await idsOf(name, id, query);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every((page) => page.length > 0)).toBe(true);
    expect(pages.flat()).toHaveLength(count);
    expect(new Set(pages.flat()).size).toBe(count);
  });

  it.each(['', '&ordering=recorded_at', '&customer_id=customer-0'])(
    'of the audit log%s has the entries of short pages, and ends a page early where all are too large',
    async (query) => {
      const pages = await idsOf('audit/log', 'event_id', query);
      if (!query.includes('customer')) expect(pages.length).toBeGreaterThan(1);
      expect(pages.flat()).toEqual((await idsOf('audit/log', 'event_id', query, 30)).flat());
    },
  );
});
