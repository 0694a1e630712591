import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { toWireId, type Uuid } from '../../../src/kernel/ids.js';
import type { InvoiceLine } from '../../../src/billing/accounts/domain/event-data.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { fourMonths } from '../../support/four-months.js';
import { recount } from '../../support/recount.js';
import { shopOf, type Shop } from '../../support/shop.js';

type Row = Record<string, string | number | null>;
interface Shown {
  readonly invoice_id: string;
  readonly issue_date: string;
  readonly amount: number;
  readonly cost_due: number;
  readonly payment_status: string;
}

/** Questions of the guide, each with its text and its statement. */
const QUESTIONS = [
  ...readFileSync('docs/guides/analytics.md', 'utf8').matchAll(/^(.*\?)\n\n```sql\n([^`]+)```$/gm),
].map(([, question, sql]) => ({ question: question!, sql: sql!.replaceAll(`:'org'`, '$1') }));

describe('the analytics views', () => {
  let app: TestApp;
  let shop: Shop;
  let shown: Shown[];
  let analyst: pg.Client;
  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    await fourMonths(app, shop);
    shown = await shop.invoices('?limit=200');
    await app.pool.query(
      `do $$ begin create role recount_reader nologin; exception when others then null; end $$`,
    );
    await app.pool.query('grant usage on schema analytics to recount_reader');
    await app.pool.query('grant select on all tables in schema analytics to recount_reader');
    analyst = new pg.Client(app.databaseUrl);
    await analyst.connect();
    await analyst.query('set role recount_reader');
  });
  afterAll(async () => {
    await analyst.end();
    await app.stop();
  });

  const ask = async (sql: string): Promise<Row[]> => (await analyst.query<Row>(sql, [app.org])).rows;
  const answer = (start: string): Promise<Row[]> =>
    ask(QUESTIONS.find(({ question }) => question.startsWith(start))!.sql);
  const sumOf = (amounts: readonly number[]) => Number(amounts.reduce((sum, one) => sum + one, 0).toFixed(2));
  const valid = () => shown.filter(({ payment_status: status }) => status !== 'voided');

  it('answer some twenty questions, each of one organization', async () => {
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(20);
    for (const { question, sql } of QUESTIONS) {
      expect(sql).toContain('$1');
      expect({ question, rows: (await ask(sql)).length }).not.toEqual({ question, rows: 0 });
    }
    expect((await analyst.query(QUESTIONS[0]!.sql, ['00000000-0000-0000-0000-000000000000'])).rows).toEqual(
      [],
    );
  });

  it('invoice by month what the API answers and what the log says', async () => {
    const inViews = (await answer('What did we invoice')).map(({ invoiced }) => Number(invoiced));
    const months = ['2026-01', '2026-02', '2026-03', '2026-04'];
    const inAnswers = months.map((month) =>
      sumOf(valid().flatMap(({ issue_date: on, amount }) => (on.startsWith(month) ? [amount] : []))),
    );
    expect(inViews).toEqual(inAnswers);

    const inLog = new Map<string, { total: bigint; net: bigint }>();
    const rules = ['recurring_charge', 'prepaid_units', 'usage'];
    for await (const { type, data, metadata } of app.service.app.get<EventStore>(EVENT_STORE).readAll()) {
      if (metadata.org !== app.org) continue;
      const { invoiceId, lines } = data as { invoiceId: string; lines: InvoiceLine[] };
      if (type === 'InvoiceVoided') inLog.delete(invoiceId);
      if (type !== 'InvoiceComputed') continue;
      const add = (some: readonly InvoiceLine[], field: 'amount' | 'subtotal') =>
        some.reduce((sum, line) => sum + BigInt(line[field].amount), 0n);
      const charges = lines.filter(({ explanation }) => rules.includes(explanation.rule));
      inLog.set(invoiceId, { total: add(lines, 'amount'), net: add(charges, 'subtotal') });
    }
    const folded = [...inLog.values()];
    const cents = (field: 'total' | 'net') => folded.reduce((sum, one) => sum + one[field], 0n);
    const [row] = await ask(`select
      (select sum(amount) * 100 from analytics.invoices where org = $1 and status <> 'voided')::bigint as invoices,
      (select sum(amount) * 100 from analytics.invoiced_by_month where org = $1)::bigint as lines,
      (select sum(revenue) * 100 from analytics.revenue_by_month where org = $1)::bigint as revenue`);
    expect(row).toEqual({
      invoices: String(cents('total')),
      lines: String(cents('total')),
      revenue: String(cents('net')),
    });
  });

  it('bring recurring charges to a month, and explain every change of their sum', async () => {
    const rows = (await answer('What is our monthly recurring revenue')).map((row) =>
      ['mrr', 'new', 'expansion', 'contraction', 'churn'].map((column) => Number(row[column])),
    );
    // January: acme and beta 30 each, gamma 1,200 a year.
    // February: acme 60, beta 5 more, delta 30. March: beta ends.
    expect(rows).toEqual([
      [160, 160, 0, 0, 0],
      [225, 30, 35, 0, 0],
      [190, 0, 0, 0, -35],
      [190, 0, 0, 0, 0],
    ]);
    const cohorts = await answer('How many customers of each cohort stay');
    expect(cohorts.map(({ customers }) => Number(customers))).toEqual([3, 3, 2, 2, 1, 1, 1]);
  });

  it('age what is open as the API shows it', async () => {
    const [row] = await ask(
      `select sum(total) as total, sum(not_due + days_0_30 + days_31_60 + days_61_90 + days_over_90) as buckets
       from analytics.receivables_ageing where org = $1`,
    );
    const open = sumOf(shown.map(({ cost_due: due }) => due));
    expect([Number(row!['total']), Number(row!['buckets'])]).toEqual([open, open]);
    const ages = await ask(`select bucket, days_overdue, due_at from analytics.receivables where org = $1`);
    const now = Date.parse('2026-04-20T00:00:00Z');
    for (const { bucket, days_overdue: days, due_at: due } of ages) {
      const age = Math.floor((now - Date.parse(String(due))) / 86_400_000);
      const of = age < 0 ? 'not due' : age <= 30 ? '0-30' : age <= 60 ? '31-60' : age <= 90 ? '61-90' : '90+';
      expect({ bucket, days }).toEqual({ bucket: of, days: age < 0 ? null : age });
    }
    expect(new Set(ages.map(({ bucket }) => bucket)).size).toBeGreaterThanOrEqual(3);
  });

  it('keep the balance of credits that can be drawn', async () => {
    const rows = await answer('How much credit');
    let left: number[] = [];
    for (const customer of ['acme', 'beta', 'gamma', 'delta']) {
      const { body } = await app.request
        .get(`/api/credits/?customer_id=${customer}&status=active`)
        .expect(200);
      left = [...left, ...(body as Row[]).map((credit) => Number(credit['amount_remaining']))];
    }
    expect(Number(rows.at(-1)!['balance'])).toBe(sumOf(left));
    expect(rows.some(({ voided }) => Number(voided) < 0)).toBe(true);
  });

  it('count usage events by day, of the customer whose key the API answers', async () => {
    const rows = await answer('Who used how much');
    const { body } = await app.request.get('/api/customers/acme/').expect(200);
    expect(new Set(rows.map(({ customer_key: key }) => key))).toEqual(new Set([body.customer_key]));
    expect(rows.map(({ event_name: name, events }) => [name, Number(events)])).toEqual([
      ['request', 900],
      ['request', 300],
    ]);
    expect(await answer('Whose usage fell')).toHaveLength(1);
  });

  it('are exported row by row, as CSV and as JSON lines, of one organization', async () => {
    const organization = ['--organization', toWireId('org', app.org)];
    const csv = await recount(app, 'export', 'mrr', ...organization);
    expect(csv.lines[0]).toBe('org,month,currency,customers,mrr,new,expansion,contraction,churn');
    expect(csv.lines).toHaveLength(5);
    expect(csv.lines).toContain(`${app.org},2026-01-01,USD,3,160.0000,160.0000,0,0,0`);

    const json = await recount(app, 'export', 'invoice_lines', '--format', 'json', ...organization);
    const lines = json.lines.map((line) => JSON.parse(line) as Row);
    const [sum] = await ask('select sum(amount) as amount from analytics.invoice_lines where org = $1');
    expect(sumOf(lines.map(({ amount }) => Number(amount)))).toBe(Number(sum!['amount']));

    const other = ['--organization', toWireId('org', '00000000-0000-4000-8000-000000000000' as Uuid)];
    await expect(recount(app, 'export', 'mrr', ...other)).rejects.toThrow(
      /^There is no organization org_0000.* list/,
    );
    await expect(recount(app, 'export', 'mr')).rejects.toThrow('did you mean mrr?');
    await expect(recount(app, 'export', 'mrr', '--format', 'xml')).rejects.toThrow('csv, json, parquet');
  });

  it('are exported beyond the rows of one page, and with quotes where CSV needs them', async () => {
    await app.pool.query(`create view analytics.many as
      select '${app.org}'::uuid as org, n, case n % 2 when 0 then 'a,"b"' else '' end as text, null as nothing
      from generate_series(1, 2001) n`);
    const { lines } = await recount(app, 'export', 'many', '--organization', toWireId('org', app.org));
    await app.pool.query('drop view analytics.many');
    expect(lines).toHaveLength(2002);
    expect(lines.slice(1, 3)).toEqual([`${app.org},1,"",`, `${app.org},2,"a,""b""",`]);
  });
});
