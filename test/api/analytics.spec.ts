import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InvoiceLine } from '../../src/billing/accounts/domain/event-data.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fourMonths } from '../support/four-months.js';
import { shopOf, type Shop } from '../support/shop.js';

type Row = Readonly<Record<string, string | number | null>>;
interface Report {
  readonly as_of: string;
  readonly position: string | null;
  readonly rows: readonly Row[];
  readonly metrics?: readonly Row[];
}

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  await fourMonths(app, shop);
});
afterAll(() => app.stop());

const report = async (path: string): Promise<Report> =>
  (await app.request.get(`/api/analytics/${path}`).expect(200)).body as Report;
/** Returns the rows of a view as the API shows them: `currency` under its wire name, decimals as numbers. */
async function viewed(sql: string): Promise<Row[]> {
  const { rows } = await app.pool.query<Record<string, string>>(sql, [app.org]);
  return rows.map(({ currency, org: _org, ...rest }) =>
    Object.fromEntries([
      ...(currency === undefined ? [] : [['currency_code', currency]]),
      ...Object.entries(rest).map(([name, value]) => [
        name,
        /^-?[\d.]+$/.test(value) ? Number(value) : value,
      ]),
    ]),
  ) as Row[];
}
const FOUR = '?range_start=2026-01-01&range_end=2026-05-01';
const cents = (amount: number) => Math.round(amount * 100);

describe('aggregates over all customers', () => {
  it.each([
    ['recurring-revenue', 'select * from analytics.mrr where org = $1 order by month'],
    ['invoiced', 'select * from analytics.invoices_by_month where org = $1 order by month'],
    ['credits', 'select * from analytics.credit_liability where org = $1 order by month'],
  ])('%s is its view, with a row for each month', async (path, sql) => {
    const { rows } = await report(`${path}${FOUR}`);
    expect(rows.map(({ month }) => month)).toEqual(['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01']);
    const inView = await viewed(sql);
    const months = new Set(inView.map(({ month }) => month));
    expect(rows.filter(({ month }) => months.has(month!))).toEqual(inView);
    expect(inView.length).toBeGreaterThanOrEqual(2);
  });

  it('movements and changes lead from each month to the next', async () => {
    const revenue = await report(`recurring-revenue${FOUR}`);
    expect(revenue.rows.map(({ mrr }) => mrr)).toEqual([160, 225, 190, 190]);
    const credits = await report(`credits${FOUR}`);
    const leads = (rows: readonly Row[], to: string, ...changes: string[]) =>
      rows.reduce((before, row) => {
        const sum = changes.reduce((total, change) => total + cents(row[change] as number), before);
        expect(cents(row[to] as number)).toBe(sum);
        return sum;
      }, 0);
    leads(revenue.rows, 'mrr', 'new', 'expansion', 'contraction', 'churn');
    leads(credits.rows, 'balance', 'granted', 'drawn', 'voided', 'expired');
    const [later] = (await report('credits/?range_start=2026-04-01&range_end=2026-05-01')).rows;
    expect(later).toEqual(credits.rows.at(-1));
  });

  it('invoiced amounts are what a fold of the log adds up, and what the invoices are', async () => {
    const log = new Map<string, { month: string; amount: number }>();
    for await (const { type, data, metadata } of app.service.app.get<EventStore>(EVENT_STORE).readAll()) {
      if (metadata.org !== app.org) continue;
      const { invoiceId, lines, issuedAt } = data as {
        invoiceId: string;
        lines: InvoiceLine[];
        issuedAt: string;
      };
      if (type === 'InvoiceVoided') log.delete(invoiceId);
      if (type !== 'InvoiceComputed') continue;
      const amount = lines.reduce((sum, line) => sum + Number(line.amount.amount), 0);
      log.set(invoiceId, { month: `${issuedAt.slice(0, 7)}-01`, amount });
    }
    const shown: Row[] = await shop.invoices('?limit=200');
    const { rows } = await report(`invoiced${FOUR}`);
    for (const { month, invoices, invoiced, paid, open } of rows) {
      const own = [...log.values()].filter((invoice) => invoice.month === month);
      expect({ month, invoices, invoiced: cents(invoiced as number) }).toEqual({
        month,
        invoices: own.length,
        invoiced: own.reduce((sum, { amount }) => sum + amount, 0),
      });
      const due = shown
        .filter(({ issue_date: at }) => `${String(at).slice(0, 7)}-01` === month)
        .reduce((sum, { cost_due: one }) => sum + cents(one as number), 0);
      expect([cents(open as number), cents(paid as number)]).toEqual([due, cents(invoiced as number) - due]);
    }
  });

  it('receivables by age are the open amounts of the invoices', async () => {
    const { rows, as_of: now } = await report('receivables/');
    const ages = { not_due: 0, days_0_30: 0, days_31_60: 0, days_61_90: 0, days_over_90: 0 };
    let total = 0;
    for (const { cost_due: due, due_date: on } of (await shop.invoices('?limit=200')) as Row[]) {
      const days = (Date.parse(now) - Date.parse(String(on))) / 86_400_000;
      const over =
        days < 31 ? 'days_0_30' : days < 61 ? 'days_31_60' : days < 91 ? 'days_61_90' : 'days_over_90';
      ages[days < 0 ? 'not_due' : over] += due as number;
      total += due as number;
    }
    expect(now).toBe('2026-04-20T00:00:00Z');
    expect(rows).toMatchObject([{ currency_code: 'USD', ...ages, total }]);
  });

  it('usage by day is its view, by whole days, with the metrics that read it', async () => {
    const { rows, metrics } = await report(
      'usage/?range_start=2026-01-10T12:00:00Z&range_end=2026-02-05T00:00:01Z',
    );
    const inView = await viewed(
      `select day, event_name, sum(events) as events from analytics.usage_by_day where org = $1
       group by day, event_name order by day, event_name`,
    );
    expect(rows).toEqual(inView);
    expect(rows).toEqual([
      { day: '2026-01-10', event_name: 'request', events: 900 },
      { day: '2026-02-05', event_name: 'request', events: 300 },
    ]);
    expect(metrics).toMatchObject([{ event_name: 'request' }]);
    expect((await report('usage/?range_start=2026-02-01&range_end=2026-02-05')).rows).toEqual([]);
    expect(
      (await report('usage/?range_start=2026-01-10&range_end=2026-02-05&event_name=other')).rows,
    ).toEqual([]);
  });

  it('names beyond the most used share a row', async () => {
    const { org } = await anotherTenant(app);
    const names = Array.from({ length: 25 }, (_, index) => `name-${String(index).padStart(2, '0')}`);
    await app.request
      .post('/api/track/')
      .send({
        batch: names.flatMap((name, index) =>
          Array.from({ length: index + 1 }, (_, one) => ({
            event_name: name,
            customer_id: index % 2 ? 'acme' : 'beta',
            idempotency_id: `${name}-${one}`,
            time_created: '2026-04-19T00:00:00Z',
          })),
        ),
      })
      .expect(201);
    const { rows } = await report('usage/?range_start=2026-04-19&range_end=2026-04-20');
    expect(rows).toHaveLength(21);
    expect(rows.find(({ event_name: name }) => name === null)).toMatchObject({ events: 1 + 2 + 3 + 4 + 5 });
    expect(rows.find(({ event_name: name }) => name === 'name-24')).toMatchObject({ events: 25 });
    expect(org).not.toBe(app.org);
  });

  it('each answer tells of which moment it is, by an event of the organization alone', async () => {
    const paths = ['recurring-revenue', 'invoiced', 'receivables', 'credits', 'usage'];
    const reports = await Promise.all(paths.map((path) => report(`${path}/`)));
    const [{ position: newest }] = (await app.request.get('/api/audit/log/?limit=1').expect(200)).body;
    for (const { as_of: at, position } of reports)
      expect([at, position]).toEqual(['2026-04-20T00:00:00Z', newest]);

    const other = await anotherTenant(app);
    await other.request.post('/api/customers/').send({ customer_id: 'elsewhere' }).expect(201);
    expect((await report('invoiced/')).position).toBe(newest);
    for (const path of paths) {
      const { body } = await other.request.get(`/api/analytics/${path}/`).expect(200);
      expect(body.rows).toEqual([]);
    }
    await shop.customer('epsilon');
    expect((await report('invoiced/')).position).not.toBe(newest);
  });

  it('a range has an order and a length, and a currency exists', async () => {
    const refused = async (path: string) =>
      (await app.request.get(`/api/analytics/${path}`).expect(400)).body.validation_errors[0].attr;
    expect(await refused('invoiced/?range_start=2026-05-01&range_end=2026-04-01')).toBe('range_end');
    expect(await refused('credits/?range_start=1990-01-01')).toBe('range_start');
    expect(await refused('usage/?range_start=2026-01-01')).toBe('range_start');
    expect(await refused('receivables/?currency_code=XXQ')).toBe('currency_code');
    const { rows } = await report(`recurring-revenue${FOUR}&currency_code=eur`);
    expect(rows).toEqual([]);
  });

  it('reports end with the current month', async () => {
    const { rows } = await report('recurring-revenue/?range_start=2026-03-01&range_end=2027-01-01');
    expect(rows.map(({ month }) => month)).toEqual(['2026-03-01', '2026-04-01']);
  });
});
