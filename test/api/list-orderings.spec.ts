import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pagesOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
  const shop = shopOf(app);
  const euro = await shop.plan('Euro', {
    currency_code: 'EUR',
    recurring_charges: [aChargeBody({ amount: 9 })],
  });
  await shop.plan('a plan of nobody', { recurring_charges: [aChargeBody()] });
  for (const [index, amount] of [30, 10, 20, 10].entries()) {
    const customer = `c${index}`;
    await shop.customer(customer, index === 3 ? { default_currency_code: 'EUR' } : {});
    const plan = await shop.plan(`Plan ${index}`, { recurring_charges: [aChargeBody({ amount })] });
    await shop.subscribe(customer, plan, `2026-01-0${index + 1}`);
    await app.request
      .post('/api/credits/')
      .send({
        customer_id: 'c0',
        amount: 100 - amount,
        currency_code: 'JPY',
        ...(index > 1 ? {} : { expires_at: `2027-0${index + 1}-01T00:00:00Z` }),
      })
      .expect(201);
  }
  await shop.subscribe('c3', euro, '2026-01-02');
  await app.advance('2026-02-20T00:00:00Z');
  const [first] = await shop.invoices('?customer_id=c1&limit=1');
  await app.request.post(`/api/invoices/${first.invoice_id}/void/`).send({}).expect(200);
});
afterAll(() => app.stop());

type Row = Readonly<Record<string, unknown>>;
const listed = async (path: string) => (await pagesOf<Row>(app.request, path)).flat();

const CASES: readonly (readonly [string, (row: Row) => string | number | null])[] = [
  ['/api/invoices/?ordering=issue_date', ({ issue_date: at }) => at as string],
  ['/api/invoices/?ordering=due_date', ({ due_date: at }) => (at ?? '9') as string],
  ['/api/invoices/?ordering=invoice_number', ({ invoice_number: number }) => number as string],
  ['/api/audit/log/?ordering=recorded_at', ({ recorded_at: at }) => Date.parse(at as string)],
  ['/api/plans/?ordering=plan_name', ({ plan_name: name }) => (name as string).toLowerCase()],
  ['/api/plans/?ordering=active_subscriptions', ({ active_subscriptions: count }) => count as number],
  ['/api/invoices/?ordering=amount', inCurrency('amount', 'currency')],
  ['/api/invoices/?ordering=cost_due', inCurrency('cost_due', 'currency')],
  ['/api/subscriptions/?ordering=start_date', ({ start_date: at }) => at as string],
  ['/api/subscriptions/?ordering=end_date', ({ end_date: at }) => at as string],
  ['/api/customers/?ordering=total_amount_due', inCurrency('total_amount_due', 'default_currency')],
  ['/api/credits/?customer_id=c0&ordering=amount', inCurrency('amount', 'currency')],
  ['/api/credits/?customer_id=c0&ordering=amount_remaining', inCurrency('amount_remaining', 'currency')],
  ['/api/credits/?customer_id=c0&ordering=effective_at', ({ effective_at: at }) => at as string],
  ['/api/credits/?customer_id=c0&ordering=expires_at', ({ expires_at: at }) => (at ?? '9') as string],
];

/** Returns a function that makes a text which sorts by currency, then by amount. */
function inCurrency(amount: string, currency: string): (row: Row) => string {
  return (row) =>
    `${(row[currency] as { code: string }).code} ${(row[amount] as number).toFixed(2).padStart(12, '0')}`;
}

describe('ordering', () => {
  it.each(CASES)('%s pages through the whole list in order, both ways', async (path, keyOf) => {
    const whole = await listed(path.replace(/&?ordering=\w+/, ''));
    const limit = whole.length > 20 ? 20 : 2;
    for (const [asked, sign] of [
      [path, 1],
      [path.replace('ordering=', 'ordering=-'), -1],
    ] as const) {
      const rows = await listed(`${asked}&limit=${limit}`);
      expect(rows).toHaveLength(whole.length);
      expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(whole.length);
      const keys = rows.map(keyOf);
      expect(keys).toEqual([...keys].sort((a, b) => (a! < b! ? -sign : a! > b! ? sign : 0)));
    }
  });

  it('orders customers by what is due in their own currency', async () => {
    const rows = await listed('/api/customers/?ordering=-total_amount_due');
    expect(rows.map(({ customer_id: id, total_amount_due: due }) => [id, due])).toEqual([
      ['c0', 60],
      ['c2', 40],
      ['c1', 10],
      ['c3', 18],
    ]);
  });

  it('refuses a cursor of another order, and an unknown field', async () => {
    const { headers } = await app.request.get('/api/invoices/?ordering=amount&limit=1').expect(200);
    const cursor = /cursor=([\w-]+)/.exec(headers['link'] as string)![1]!;
    await app.request.get(`/api/invoices/?ordering=amount&cursor=${cursor}`).expect(200);
    for (const query of [
      `ordering=-amount&cursor=${cursor}`,
      `cursor=${cursor}`,
      'ordering=name',
      `ordering=amount&cursor=${Buffer.from('amount USD x y').toString('base64url')}`,
    ])
      await app.request.get(`/api/invoices/?${query}`).expect(400);
  });

  it('refuses a cursor whose time no list has written, such as one of another offset', async () => {
    for (const time of ['2026-01-01T00:00:00+23:59', '2026-01-01', 'Infinity']) {
      const cursor = Buffer.from(`issue_date ${time} ${randomUUID()}`).toString('base64url');
      const { body } = await app.request
        .get(`/api/invoices/?ordering=issue_date&cursor=${cursor}`)
        .expect(400);
      expect(body.validation_errors).toMatchObject([{ attr: 'cursor', code: 'invalid' }]);
    }
  });

  it('of plans continues from its own cursors only, and names the orders there are', async () => {
    const cursors: string[] = [];
    for (const ordering of ['', 'ordering=plan_name&', 'ordering=-active_subscriptions&']) {
      const { headers } = await app.request.get(`/api/plans/?${ordering}limit=1`).expect(200);
      cursors.push(/cursor=([\w-]+)/.exec(headers['link'] as string)![1]!);
    }
    const [newest, byName, byCount] = cursors;
    for (const query of [
      `cursor=${byName}`,
      `ordering=plan_name&cursor=${newest}`,
      `ordering=-plan_name&cursor=${byName}`,
      `ordering=plan_name&cursor=${byCount}`,
    ])
      await app.request.get(`/api/plans/?${query}`).expect(400);
    const { body } = await app.request.get('/api/plans/?ordering=created_at').expect(400);
    expect(body.validation_errors[0]).toMatchObject({
      attr: 'ordering',
      detail: 'Choose from: plan_name, -plan_name, active_subscriptions, -active_subscriptions.',
    });
  });

  it('by a count has every plan once in the pages of one moment, whatever changes meanwhile', async () => {
    const { body: whole } = await app.request.get('/api/plans/').expect(200);
    const list = '/api/plans/?ordering=active_subscriptions&limit=1&as_of=2026-02-20T00:00:00Z';
    const idsOf = async (path: string) => {
      const { body, headers } = await app.request.get(path).expect(200);
      const next = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
      return { ids: (body as Row[]).map(({ plan_id: id }) => id), next: next?.replace(app.url, '') };
    };
    const first = await idsOf(list);
    await app.advance('2026-02-21T00:00:00Z');
    await shopOf(app).subscribe('c0', first.ids[0] as string, '2026-02-21');
    const seen = [...first.ids];
    for (let { next } = first; next !== undefined;) {
      const page = await idsOf(next);
      seen.push(...page.ids);
      ({ next } = page);
    }
    expect([...seen].sort()).toEqual((whole as Row[]).map(({ plan_id: id }) => id).sort());
  });

  it('pages the audit log in the order of the log, both ways', async () => {
    const newest = await listed('/api/audit/log/?limit=1000');
    expect(await listed('/api/audit/log/?ordering=-recorded_at&limit=20')).toEqual(newest);
    expect(await listed('/api/audit/log/?ordering=recorded_at&limit=20')).toEqual(newest.toReversed());
    const ofCustomer = await listed('/api/audit/log/?customer_id=c0');
    expect(await listed('/api/audit/log/?customer_id=c0&ordering=recorded_at&limit=3')).toEqual(
      ofCustomer.toReversed(),
    );
    const { headers } = await app.request.get('/api/audit/log/?limit=1').expect(200);
    const cursor = /cursor=([\w-]+)/.exec(headers['link'] as string)![1]!;
    await app.request.get(`/api/audit/log/?ordering=recorded_at&cursor=${cursor}`).expect(400);
  });

  it('answers as of a moment too', async () => {
    const { body } = await app.request.get('/api/audit/log/?event_type=InvoiceVoided').expect(200);
    const before = new Date(Date.parse(body[0].recorded_at as string) - 1).toISOString();
    const rows = await listed(`/api/customers/?ordering=-total_amount_due&as_of=${before}`);
    expect(rows.map(({ customer_id: id, total_amount_due: due }) => [id, due])).toEqual([
      ['c0', 60],
      ['c2', 40],
      ['c1', 20],
      ['c3', 18],
    ]);
    const entries = await listed(`/api/audit/log/?as_of=${before}`);
    expect(await listed(`/api/audit/log/?ordering=recorded_at&limit=20&as_of=${before}`)).toEqual(
      entries.toReversed(),
    );
    const numbers = (await listed(`/api/invoices/?ordering=invoice_number&limit=2&as_of=${before}`)).map(
      ({ invoice_number: number }) => number as string,
    );
    expect(numbers).toHaveLength(10);
    expect(numbers).toEqual(numbers.toSorted());
  });
});

describe('GET /api/invoices/?voided=true', () => {
  it('lists voided invoices, which no other list has', async () => {
    const voided = await listed('/api/invoices/?voided=true');
    expect(voided.map(({ payment_status: status }) => status)).toEqual(['voided']);
    const others = await listed('/api/invoices/?voided=false');
    expect(others.map(({ invoice_id: id }) => id)).not.toContain(voided[0]!['invoice_id']);
    expect(await listed('/api/invoices/?voided=true&status=unpaid,paid')).toEqual([]);
    const all = await listed('/api/invoices/?include_voided=true');
    const ids = (list: typeof all) => list.map(({ invoice_id: id }) => id as string).toSorted();
    expect(ids(all)).toEqual(ids([...voided, ...others]));
  });
});
