import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { invoicesProjection } from '../../projections/invoices/projection.js';
import { BatchWriter } from '../../projections/runtime/batch-writer.js';
import { loadCheckpoint } from '../../projections/runtime/checkpoint.js';
import { accountId } from '../../src/billing/decider/domain/account.js';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import type {
  InvoiceLineRow,
  InvoiceRow,
  ClosedUsagePeriodRow,
} from '../../src/billing/read-models/invoices.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { streamName } from '../../src/kernel/event.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { ORG, CUSTOMER, aCharge, aComponent, aContent, aTerm } from '../support/builders/billing.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { PureAccount } from '../support/pure-account.js';

const STREAM = streamName('account', ORG, accountId(CUSTOMER, 'USD'));
const issued = ({ invoiceId, issuedAt }: ComputedInvoice, number: string): AccountEvent => ({
  type: 'InvoiceIssued',
  data: { invoiceId, number, issuedAt },
});

describe('the invoices read model', () => {
  let database: TestDatabase;
  let store: InMemoryEventStore;
  let written = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    await createReadModels(database.pool, [invoicesProjection]);
    store = new InMemoryEventStore();
  });
  afterAll(() => database.drop());

  /** Appends events to the account and projects them. */
  async function happen(...events: AccountEvent[]): Promise<void> {
    const { position } = await loadCheckpoint(database.pool, invoicesProjection);
    const metadata = {
      org: ORG,
      commandId: namedId('a command'),
      correlationId: 'test',
      actor: 'system',
      recordedAt: instant('2026-02-01T00:30:00Z'),
      schemaVersion: 1,
    };
    const expected = written === 0 ? 'no_stream' : BigInt(written - 1);
    await store.append(
      STREAM,
      expected,
      events.map((event, index) => ({ ...event, id: namedId(`event ${written + index}`), metadata })),
    );
    const recorded = [];
    for await (const event of store.readStream(STREAM, { from: BigInt(written) })) recorded.push(event);
    written += events.length;
    await new BatchWriter(database.pool, invoicesProjection).apply(
      position,
      recorded,
      await store.identity(),
    );
  }

  const rowsOf = async <Row>(view: string, order: string): Promise<Row[]> =>
    (await database.pool.query(`select * from ${view} order by ${order}`)).rows as Row[];

  const billed = new PureAccount(
    [aTerm(aContent({ recurringCharges: [aCharge()], components: [aComponent()] }))],
    [{ at: '2026-01-10T00:00:00.000000Z', n: '7' }],
    {
      organization: {
        settings: { taxRate: '10', paymentGraceDays: 14, lateEventGraceMinutes: 30 },
        revision: '0',
      },
    },
  );
  const fee = billed.bill('2026-01-01')!;
  const usage = billed.bill('2026-02-01T00:30:00Z')!;
  const [computedFee, closed, computedUsage] = billed.events as [AccountEvent, AccountEvent, AccountEvent];

  it('has an invoice from the moment it is computed, without a number', async () => {
    await happen(computedFee);
    const [row] = await rowsOf<InvoiceRow>('invoices', 'issued_at');
    expect(row).toEqual({
      org: ORG,
      invoice_id: fee.invoiceId,
      invoice_number: null,
      customer_key: CUSTOMER,
      currency: 'USD',
      amount: '33.00',
      cost_due: '33.00',
      payment_status: 'draft',
      issued_at: '2026-01-01T00:00:00.000000Z',
      due_at: '2026-01-15T00:00:00.000000Z',
      paid_at: null,
      voided_at: null,
      external_payment_obj_id: null,
      external_payment_obj_type: null,
      external_payment_obj_status: null,
      start_date: '2026-01-01',
      end_date: '2026-01-31',
      run_id: fee.runId,
      fingerprint: fee.fingerprint,
      result_hash: fee.resultHash,
      policy: fee.policy,
      computed_revision: '0',
      stream_revision: '0',
    });
  });

  it('issued, it has its number and is to be paid', async () => {
    await happen(issued(fee, '260101-000001'));
    const [row] = await rowsOf<InvoiceRow>('invoices', 'issued_at');
    expect(row).toMatchObject({
      invoice_number: '260101-000001',
      payment_status: 'unpaid',
      computed_revision: '0',
      stream_revision: '1',
    });
  });

  it('an invoice of 0 is paid at issue', async () => {
    const nothing = { amount: '0', currency: 'USD', scale: 2 };
    const free = { ...fee, invoiceId: namedId('a free invoice'), total: nothing, costDue: nothing };
    await happen({ type: 'InvoiceComputed', data: free }, issued(free, '260101-000002'));
    const row = (await rowsOf<InvoiceRow>('invoices', 'issued_at')).find(
      ({ invoice_id: id }) => id === free.invoiceId,
    );
    expect(row).toMatchObject({ amount: '0.00', cost_due: '0.00', payment_status: 'paid' });
  });

  it('has every line in its place, with its parts in columns of their own', async () => {
    await happen(closed, computedUsage);
    const lines = await rowsOf<InvoiceLineRow>('invoice_lines', 'start_at, line_no');
    const [line] = lines.filter(({ invoice_id: id }) => id === usage.invoiceId);
    expect(line).toEqual({
      org: ORG,
      invoice_id: usage.invoiceId,
      line_no: 1,
      charge_key: usage.lines[0]!.chargeKey,
      subscription_id: namedId('a subscription'),
      plan_id: namedId('a plan'),
      plan_version_id: namedId('a version'),
      plan_name: 'Basic',
      plan_version: 1,
      subscription_filters: [],
      name: 'calls',
      billing_type: 'in_arrears',
      start_at: '2026-01-01T00:00:00.000000Z',
      end_at: '2026-02-01T00:00:00.000000Z',
      scheduled_end: true,
      start_date: '2026-01-01',
      end_date: '2026-01-31',
      quantity: '7',
      base: '7.00',
      plan_adjustment: '0.00',
      subtotal: '7.00',
      tax: '0.70',
      amount: '7.70',
      adjustments: [{ amount: '0.70', account: '41100', type: 'sales_tax' }],
      tax_rate: '10',
      rule: 'usage',
      fraction: null,
      close_id: usage.inputs.closeIds[0],
      previous_close_id: null,
      addon_id: null,
      addon_name: null,
      addon_subscription_id: null,
    });
  });

  it('keeps the count that a usage line was rated from, with its evidence', async () => {
    const [close] = await rowsOf<ClosedUsagePeriodRow>('usage_closes', 'window_start');
    expect(close).toMatchObject({
      org: ORG,
      close_id: usage.inputs.closeIds[0],
      customer_key: CUSTOMER,
      charge_key: usage.lines[0]!.chargeKey,
      window_start: '2026-01-01T00:00:00.000000Z',
      window_end: '2026-02-01T00:00:00.000000Z',
      quantity: '7',
      event_count: '1',
      absent_values: '0',
      sealed_up_to: '1',
    });
  });

  it('sums of lines are the amounts of invoices, for whoever asks in SQL', async () => {
    const { rows } = await database.pool.query(
      `select i.invoice_id from invoices i join invoice_lines l using (org, invoice_id)
       where i.amount <> 0 group by i.invoice_id, i.amount having sum(l.amount) <> i.amount`,
    );
    expect(rows).toEqual([]);
  });

  it('says in the database what every column means', async () => {
    const { rows } = await database.pool.query<{ column: string }>(
      `select attrelid::regclass || '.' || attname as column from pg_attribute
       where attrelid in ('invoices'::regclass, 'invoice_lines'::regclass, 'usage_closes'::regclass)
         and attnum > 0 and col_description(attrelid, attnum) is null`,
    );
    expect(rows).toEqual([]);
  });
});
