import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectionError } from '../../clients/typescript/src/index.js';
import { CrashingService } from '../crash/crashing-service.js';
import { startKillingProxy, type KillingProxy } from '../crash/killing-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { aPlanBody, anAddonBody } from '../support/builders/catalog-bodies.js';
import { until } from '../support/until.js';

const FEE = { amount: 30, charge_timing: 'in_advance', charge_behavior: 'prorate' };

describe('a service that dies after it has decided, before it has done what follows', () => {
  let folder: string;
  let database: TestDatabase;
  let proxy: KillingProxy;
  let service: CrashingService;
  let plan: string;
  let other: string;
  let addon: string;
  let count = 0;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'recount-repeat-'));
    database = await createTestDatabase();
    proxy = await startKillingProxy(database.url);
    service = new CrashingService(proxy, database.pool, folder);
    await service.start();
    const fee = { recurring_charges: [{ name: 'fee', ...FEE }], components: [] };
    plan = (await send('/api/plans/', aPlanBody('Small', fee)))['plan_id'] as string;
    other = (await send('/api/plans/', aPlanBody('Other', fee)))['plan_id'] as string;
    const extra = { recurring_charges: [{ name: 'extra', ...FEE }] };
    addon = (await send('/api/addons/', anAddonBody('Extra', extra)))['addon_id'] as string;
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = (to: string, body: object) => service.send(`key-${(count += 1)}`, to, body);

  const newCustomer = async (): Promise<string> => {
    const customer = `customer-${(count += 1)}`;
    await send('/api/customers/', { customer_id: customer });
    return customer;
  };
  const subscribe = async (customer: string): Promise<string> => {
    const body = { customer_id: customer, plan_id: plan, start_date: '2026-01-01' };
    return (await send('/api/subscriptions/', body))['subscription_id'] as string;
  };
  /** Asked for at once: the worker leaves its grace to a writer, so what is there the repeat has done. */
  const numbersOf = async (customer: string) => {
    const query = `/api/invoices/?customer_id=${customer}`;
    const invoices = await service.client.get<{ invoice_number: string }[]>(query);
    return invoices.map((invoice) => invoice.invoice_number);
  };

  const dying = async (after: string, command: () => Promise<unknown>): Promise<void> => {
    const before = service.deaths.length;
    service.dieAt({ statement: 'append-group', about: after, when: 'after', nth: 1 });
    await command();
    expect(service.deaths).toHaveLength(before + 1);
  };

  it.each(['SubscriptionStarted', 'InvoiceComputed', 'NumbersAssigned'])(
    'answers the repeat of a subscription when its first invoice is issued (after %s)',
    async (moment) => {
      const customer = await newCustomer();
      await dying(moment, () => subscribe(customer));
      expect(await numbersOf(customer)).toHaveLength(1);
    },
  );

  it('answers the repeat of an add-on when it is attached and invoiced, and does not refuse it as attached', async () => {
    const customer = await newCustomer();
    const id = await subscribe(customer);
    const attach = () => send(`/api/subscriptions/${id}/addons/attach/`, { addon_id: addon });
    await dying('AddonAttached', attach);
    expect(await numbersOf(customer)).toHaveLength(2);
  });

  it('answers the repeat of a cancellation by filter when the invoice of what it cancelled is issued', async () => {
    const customer = await newCustomer();
    await subscribe(customer);
    const body = { customer_id: customer, flat_fee_behavior: 'refund' };
    await dying('BulkChangeAccepted', () => send('/api/subscriptions/cancel/', body));
    const [cancelled] = await service.client.get<{ fully_billed: boolean }[]>(
      `/api/subscriptions/?customer_id=${customer}`,
    );
    expect(cancelled).toMatchObject({ fully_billed: true, end_date: '2026-01-01T02:00:00Z' });
  });

  it('begins the new subscription of a switch that nobody repeats, and lets none overlap it before', async () => {
    const customer = await newCustomer();
    const id = await subscribe(customer);
    service.dieAt({ statement: 'append-group', about: 'SubscriptionSwitched', when: 'after', nth: 1 });
    const switched = service.client.post(`/api/subscriptions/${id}/switch_plan/`, { switch_plan_id: other });
    await expect(switched).rejects.toThrow(ConnectionError);
    // It is down for more than a minute.
    await database.pool.query(`update placements set taken_at = taken_at - interval '2 minutes'`);
    const overlapping = { customer_id: customer, plan_id: other, start_date: '2026-01-10' };
    await expect(send('/api/subscriptions/', overlapping)).rejects.toMatchObject({
      title: 'overlapping_plans',
    });
    const running = `/api/subscriptions/?customer_id=${customer}&plan_id=${other}&status=active`;
    await until(async () => (await service.client.get<unknown[]>(running)).length === 1);
    await until(async () => (await numbersOf(customer)).length === 2);
  });

  it('answers the repeat of a sold credit when its invoice is issued', async () => {
    const customer = await newCustomer();
    const sale = {
      customer_id: customer,
      amount: 9,
      currency_code: 'USD',
      amount_paid: 7,
      amount_paid_currency_code: 'USD',
    };
    await dying('CreditGranted', () => send('/api/credits/', sale));
    expect(await numbersOf(customer)).toHaveLength(1);
  });
});
