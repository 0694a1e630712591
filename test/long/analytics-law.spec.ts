import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventsOfBooks, storedBooks } from '../books/books.js';
import { startOnWholeBooks } from '../books/opened-books.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { instant } from '../../src/kernel/instant.js';
import {
  accountsOf,
  creditLiability,
  invoicedByMonth,
  receivablesAgeing,
  revenueByMonth,
  type Sums,
} from '../support/analytics-fold.js';
import type { TestApp } from '../support/app.js';
import { cohortsOf, movementsOf, recurringByMonth } from '../support/recurring-fold.js';

/** Half of the last decimal of a view's amount that is rounded, and a little for doubles. */
const CLOSE = 0.000051;

/** In the middle of a month, while some terms run and some payments are late by months. */
const NOW = instant('2026-05-20T12:00:00Z');

/** Five months of 75 customers in three currencies with every kind of price, change, credit and void. */
describe.each(storedBooks())(
  'over the books of policy %s the analytics views are a fold of the log',
  (name) => {
    let app: TestApp;
    let analyst: pg.Client;
    let events: RecordedEvent[];
    let org: string;
    beforeAll(async () => {
      app = await startOnWholeBooks(name);
      events = eventsOfBooks(name);
      org = events.find(({ type }) => type === 'InvoiceIssued')!.metadata.org;
      await app.pool.query(
        `insert into manual_clock (org, now) values ($1, $2) on conflict (org) do update set now = excluded.now`,
        [org, NOW],
      );
      analyst = new pg.Client(app.databaseUrl);
      await analyst.connect();
      await analyst.query(`set timezone to 'UTC'`);
    });
    afterAll(async () => {
      await analyst.end();
      await app.stop();
    });

    const ask = async (key: string, amounts: readonly string[], view: string): Promise<Sums> => {
      const { rows } = await analyst.query<Record<string, string>>(
        `select concat_ws(' ', ${key}) as key, ${amounts.join()} from analytics.${view} where org = $1`,
        [org],
      );
      return new Map(
        rows.map((row) => [row['key']!, Object.fromEntries(amounts.map((one) => [one, Number(row[one])]))]),
      );
    };
    const sorted = (sums: Sums) => Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
    const accounts = () => accountsOf(events);

    it('invoiced amounts and revenue', async () => {
      const invoices = [...accounts().invoices.values()];
      const columns = ['lines', 'net', 'tax', 'amount'];
      const key = `month, currency, rule, coalesce(plan_name, 'null')`;
      const invoiced = await ask(key, columns, 'invoiced_by_month');
      expect(invoiced.size).toBeGreaterThan(100);
      expect(sorted(invoiced)).toEqual(sorted(invoicedByMonth(invoices)));
      const revenue = await ask('month, currency, plan_name', ['revenue'], 'revenue_by_month');
      expect(sorted(revenue)).toEqual(sorted(revenueByMonth(invoices)));
    });

    it('receivables by age', async () => {
      const columns = ['not_due', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90', 'total'];
      const inViews = await ask('customer_key, currency', columns, 'receivables_ageing');
      expect(inViews.size).toBeGreaterThan(20);
      expect(sorted(inViews)).toEqual(sorted(receivablesAgeing(accounts().invoices.values(), NOW)));
    });

    it('credits as a liability, whose balance is what can still be drawn', async () => {
      const columns = ['granted', 'sold', 'drawn', 'voided', 'expired'];
      const inViews = await ask('month, currency', columns, 'credit_liability');
      expect(inViews.size).toBeGreaterThan(5);
      expect(sorted(inViews)).toEqual(sorted(creditLiability(accounts().credits.values(), NOW)));
      const { rows } = await analyst.query<{ differs: string }>(
        `select count(*) filter (where balance <> before + granted + drawn + voided + expired) as differs from (
         select *, coalesce(lag(balance) over (partition by currency order by month), 0) as before
         from analytics.credit_liability where org = $1
       ) changes`,
        [org],
      );
      expect(rows).toEqual([{ differs: '0' }]);
    });

    it('recurring revenue of every customer and month, its movements and cohorts', async () => {
      const recurring = recurringByMonth(events, NOW);
      const inViews = await ask('month, customer_key, currency', ['mrr'], 'mrr_by_customer');
      expect(inViews.size).toBeGreaterThan(200);
      expect([...inViews.keys()].sort()).toEqual([...recurring.keys()].sort());
      for (const [key, { mrr }] of inViews) {
        const expected = recurring.get(key)!;
        expect({ key, mrr, expected, isClose: Math.abs(mrr! - expected) <= CLOSE }).toMatchObject({
          isClose: true,
        });
      }

      const movements = movementsOf(recurring, NOW);
      const columns = ['amount'];
      const moved = await ask('month, customer_key, currency, movement', columns, 'mrr_movements');
      expect([...moved.keys()].sort()).toEqual(
        [...movements].map(([key, { movement }]) => `${key} ${movement}`).sort(),
      );
      for (const [key, { movement, amount }] of movements)
        expect(Math.abs(moved.get(`${key} ${movement}`)!['amount']! - amount)).toBeLessThanOrEqual(2 * CLOSE);

      const cohorts = await ask('cohort, currency, months_since', ['customers'], 'cohorts');
      expect([...cohorts].map(([key, { customers }]) => `${key} ${customers}`).sort()).toEqual(
        [...cohortsOf(recurring)].map(([key, customers]) => `${key} ${customers}`).sort(),
      );
    });

    it('monthly sums lead from each month to the next', async () => {
      const { rows } = await analyst.query<{ differs: string; months: string }>(
        `select count(*) as months, count(*) filter (where mrr <> before + new + expansion + contraction + churn) as differs
       from (
         select *, coalesce(lag(mrr) over (partition by currency order by month), 0) as before
         from analytics.mrr where org = $1
       ) changes`,
        [org],
      );
      expect(rows[0]!.differs).toBe('0');
      expect(Number(rows[0]!.months)).toBeGreaterThan(10);
    });

    it('usage by day is what is stored', async () => {
      const { rows } = await analyst.query<{ key: string; at: string; name: string }>(
        `select customer_key::text as key, event_time::text as at, event_name as name from usage_events where org = $1`,
        [org],
      );
      const stored: Sums = new Map();
      for (const { key, at, name } of rows) {
        const day = `${key} ${name} ${at.slice(0, 10)}`;
        stored.set(day, { events: (stored.get(day)?.['events'] ?? 0) + 1 });
      }
      expect(stored.size).toBeGreaterThan(500);
      const inViews = await ask('customer_key, event_name, day', ['events'], 'usage_by_day');
      expect(sorted(inViews)).toEqual(sorted(stored));
    });
  },
);
