import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Doctor } from '../../src/audit/doctor/doctor.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { BackgroundWork } from '../../src/platform/concurrency/background-work.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { recount } from '../support/recount.js';
import { shopOf, times } from '../support/shop.js';
import { checkpointsAtHead } from '../support/stored.js';

let app: TestApp;
let subscription: string;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(app);
  const components = [aComponentBody(await shop.metric())];
  const plan = await shop.plan('Metered', { components, recurring_charges: [aChargeBody({ amount: 5 })] });
  await shop.customer('acme');
  ({ subscription_id: subscription } = await shop.subscribe('acme', plan, '2026-01-01'));
  await shop.use(...times(101, '2026-01-01T00:00:00Z'));
  await app.advance('2026-03-02T00:00:00Z');
  await app.request.post('/api/audit/checkpoints/').expect(201);
  await checkpointsAtHead(app);
  // Stops the trees: otherwise they would append the data that a test damages.
  await app.service.app.get(BackgroundWork).onApplicationShutdown();
});
afterAll(() => app.stop());

const run = (...argv: string[]) => recount(app, ...argv);

describe('recount replay subscription', () => {
  it('tells every term from the first, whichever is named, with every line and what it was rated from', async () => {
    const { lines, isWell } = await run('replay', 'subscription', subscription);
    const last = lines
      .filter((line) => line.startsWith('subscription '))
      .at(-1)!
      .split(' ')[1]!;
    expect((await run('replay', 'subscription', last)).lines).toEqual(lines);

    expect(isWell).toBe(true);
    const terms = lines.filter((line) => line.startsWith('subscription '));
    expect(terms).toHaveLength(3);
    expect(terms[0]).toBe(`subscription ${subscription}`);
    expect(lines.filter((line) => / {2}SubscriptionRenewed {2}at /.test(line))).toHaveLength(2);
    const close = JSON.parse(lines[lines.findIndex((line) => line.includes('UsagePeriodClosed')) + 1]!);
    expect(close).toMatchObject({ quantity: '101', eventCount: 101 });
    expect(lines).toContainEqual(expect.stringMatching(`close ${close.closeId}`));
    expect(lines).toContainEqual(
      expect.stringMatching(/^ +5\.00 USD .*recurring_charge, quantity 1, share 1/),
    );
  });
});

describe('recount replay subscription --as-of', () => {
  it('tells what the same command told then: nothing that was recorded later', async () => {
    const replayed = (asOf: string) => run('replay', 'subscription', subscription, '--as-of', asOf);
    const { lines: all } = await run('replay', 'subscription', subscription);
    const { lines: then, isWell } = await replayed('2026-02-15T00:00:00Z');
    expect(isWell).toBe(true);
    expect(then.filter((line) => line.startsWith('subscription '))).toHaveLength(2);
    expect(then.filter((line) => / {2}SubscriptionRenewed {2}at /.test(line))).toHaveLength(1);
    expect(all.slice(0, 3)).toEqual(then.slice(0, 3));
    expect((await replayed('2026-03-02T00:00:00Z')).lines).toEqual(all);
    await expect(replayed('yesterday')).rejects.toThrow(/2026-01-31T12:00:00Z/);
  });
});

const usd = (amount: number | string): string => `${Number(amount).toFixed(2)} USD`;

describe('recount explain', () => {
  it('prints the tiers, fraction, dates and earlier charges of each line, as explain/ answers them', async () => {
    const [invoice] = (await shopOf(app).invoices()).slice(-2);
    const { body } = await app.request.get(`/api/invoices/${invoice.invoice_id}/explain/`).expect(200);
    const { lines, isWell } = await run('explain', invoice.invoice_number);
    expect(isWell).toBe(true);
    const text = lines.join('\n');
    expect(text).toContain(`invoice ${invoice.invoice_number} (${invoice.invoice_id})`);
    for (const line of body.lines) {
      expect(text).toContain(`line ${line.line}: ${line.name}, ${usd(line.amount)}`);
      const { exact, due, charged_before: before, full_interval: full } = line.calculation;
      expect(text).toContain(`exact ${usd(exact)}, owed ${usd(due)}, charged before ${usd(before)}`);
      if (line.rule === 'usage') continue;
      expect(text).toContain(`fraction ${line.fraction} of ${full.start} to ${full.end}`);
    }
    const rows = lines.filter((line) => /^ *(usage|recurring charge) {2}/.test(line));
    const steps: { tiers: unknown[] }[] = body.lines.flatMap(
      ({ calculation }: { calculation: { steps: [] } }) => calculation.steps,
    );
    expect(rows).toHaveLength(steps.flatMap(({ tiers }) => (tiers.length > 0 ? tiers : [1])).length);
    expect(
      (await run('explain', invoice.invoice_id, '--json')).lines.map((line) => JSON.parse(line)),
    ).toEqual([Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'lines')), ...body.lines]);
  });

  it('says what is due now, and what was due when the invoice was issued, in 80 columns', async () => {
    const [{ invoice_number: number, amount }] = await shopOf(app).invoices();
    const said = async () => (await run('explain', number)).lines;
    const show = (status: string, due: string) =>
      app.pool.query('update invoices set payment_status = $2, cost_due = $3 where invoice_number = $1', [
        ...[number, status, due],
      ]);
    const due = 'select cost_due from invoices where invoice_number = $1';
    const { rows } = await app.pool.query<{ cost_due: string }>(due, [number]);
    const lines = await said();
    expect(lines).toContain(`due when issued ${usd(amount)}; unpaid, due now ${usd(amount)}`);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    await show('unpaid', '1.50');
    expect(await said()).toContain(`due when issued ${usd(amount)}; unpaid, due now 1.50 USD`);
    await show('voided', '0');
    expect(await said()).toContain(`due when issued ${usd(amount)}; the invoice is voided`);
    await show('unpaid', rows[0]!.cost_due);
  });
});

describe('recount verify', () => {
  it('computes every invoice again, or the named ones', async () => {
    const { lines, isWell } = await run('verify', '--all');
    expect(isWell).toBe(true);
    expect(lines).toEqual([
      expect.stringMatching(/^3 invoices computed again in [\d.]+ s: all as issued$/),
      'numbers of 3 days: without gap or repeat, as they were assigned',
    ]);
    const [invoice] = await shopOf(app).invoices();
    const both = await run('verify', invoice.invoice_number, invoice.invoice_id);
    expect(both.lines[0]).toMatch(/^2 invoices computed again/);
    const one = await run('verify', invoice.invoice_number);
    expect(one.lines[0]).toMatch(/^1 invoice computed again/);
  });

  it('finds a number that is not the one that was assigned', async () => {
    await app.pool.query(
      `update invoices set invoice_number = '260101-000007' where invoice_number = '260101-000001'`,
    );
    const { lines, isWell } = await run('verify', '--all');
    await app.pool.query(
      `update invoices set invoice_number = '260101-000001' where invoice_number = '260101-000007'`,
    );
    expect(isWell).toBe(false);
    expect(lines).toContainEqual(expect.stringMatching(/shown as 260101-000007, in the log 260101-000001$/));
  });
});

describe('recount doctor', () => {
  it('finds nothing in books that are in order', async () => {
    const { lines, isWell } = await run('doctor', '--sample', '3');
    expect(lines.filter((line) => !line.startsWith('holds '))).toEqual([
      'unset   witnesses cosign checkpoints: this command has no AUDIT_WITNESSES',
      'unset   checkpoints are uploaded: this command has no AUDIT_BUCKET',
    ]);
    expect(lines).toHaveLength(31);
    expect(isWell).toBe(true);
  });

  it.each([
    ['every boundary', 'due_billing', `update due_billing set due_at = '2026-02-15', graced = false`],
    ['every term is renewed', 'due_terms', `update due_terms set boundary = '2026-02-15'`],
    [
      'no billing is parked',
      'parked_work',
      `insert into parked_work (org, kind, subject_id, cause, detail, parked_at, tried_at, next_try_at)
         select org, 'run', customer_key, 'internal', '', issued_at, issued_at, issued_at from invoices limit 1`,
    ],
    [
      'no billing is parked',
      'parked_work',
      `insert into parked_work (org, kind, subject_id, cause, detail, parked_at, tried_at, next_try_at)
         select org, 'run', customer_key, 'internal', '', '2999-01-01', issued_at, '2999-01-01' from invoices limit 1`,
    ],
    ['every computed invoice', 'invoices', 'update invoices set invoice_number = null'],
    ['the invoice numbers', 'invoices', `update invoices set invoice_number = '260101-000007'`],
    [
      'usage is sealed',
      'usage_batches',
      `insert into usage_batches
         select org, -batch_id, null, 0, earliest_event_time, '', received_at - interval '1 day' from usage_batches`,
    ],
    [
      'no credit',
      'credits',
      `insert into credits (org, credit_id, customer_key, currency, amount, amount_remaining, granted_at, effective_at, amount_paid)
         select org, invoice_id, customer_key, currency, 1, -1, issued_at, issued_at, 0 from invoices`,
    ],
    [
      'every read model follows',
      'projection_checkpoints',
      `update projection_checkpoints set stopped = 'unknown event' where projection = 'plans'`,
    ],
    ['read models equal', 'invoices', 'update invoices set cost_due = cost_due + 1'],
    ['invoices verify', 'usage_events', `update usage_events set event_name = 'other'`],
  ])('finds where it does not hold that %s …', async (invariant, table, damage) => {
    await app.pool.query(`create table undamaged as table ${table}`);
    try {
      await app.pool.query(damage);
      const { lines, isWell } = await run('doctor', '--sample', '3');
      expect(isWell).toBe(false);
      const broken = lines.filter((line) => line.startsWith('BROKEN'));
      expect(broken).toContainEqual(expect.stringMatching(`^BROKEN  ${invariant}`));
      expect(lines[lines.indexOf(broken[0]!) + 1]).toMatch(/^ {8}\w/);
    } finally {
      await app.pool.query(`delete from ${table}`);
      await app.pool.query(`insert into ${table} select * from undamaged`);
      await app.pool.query('drop table undamaged');
    }
  });

  it('looks no further back than it is asked to, as for the metric, and at whole days', async () => {
    const broken = async (since?: Instant) => {
      const found: string[] = [];
      const examined = app.service.app.get(Doctor, { strict: false }).examine(3, since);
      for await (const { invariant, violations } of examined)
        if (violations.length > 0) found.push(invariant);
      return found;
    };
    const numbers = 'the invoice numbers of a day have no gap and no repeat';
    const rename = (from: string, to: string) =>
      app.pool.query('update invoices set invoice_number = $2 where invoice_number = $1', [from, to]);
    await rename('260101-000001', '260101-000007');
    try {
      expect(await broken()).toContain(numbers);
      expect(await broken(instant('2026-01-01T23:00:00Z'))).toContain(numbers);
      expect(await broken(instant('2026-01-02T00:00:00Z'))).toEqual([]);
    } finally {
      await rename('260101-000007', '260101-000001');
    }
    // The service may have summed usage while the tests above had damaged it.
    await run('projections', 'rebuild', 'usage-sums');
    expect(await broken()).toEqual([]);
  });
});

describe('recount park list', () => {
  it('prints everything that is parked, however much', async () => {
    const count = 2_001;
    await app.pool.query(
      `insert into parked_work (org, kind, subject_id, cause, detail, parked_at, tried_at, next_try_at)
        select $1, 'run', gen_random_uuid(), 'internal', '', '2999-01-01', '2999-01-01', '2999-01-01'
        from generate_series(1, $2::int)`,
      [app.org, count],
    );
    const { lines, isWell } = await run('--json', 'park', 'list');
    expect(isWell).toBe(false);
    expect(new Set(lines.slice(0, -1).map((line) => JSON.parse(line).id)).size).toBe(count);
    expect(lines.at(-1)).toBe(`{"message":"${count} parked"}`);
  });
});
