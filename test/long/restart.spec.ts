import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPlan, subscribeClients } from '../../demo/content-network.js';
import type { RecountClient } from '../support/recount-client.js';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.js';

const START = '2026-01-01T00:00:00Z';
const CLIENTS = Array.from({ length: 40 }, (_, index) => `client-${index}`);

interface Invoice {
  readonly invoice_number: string;
  readonly customer: { readonly customer_id: string };
  readonly line_items: readonly { readonly name: string; readonly start_date: string }[];
}

async function all<T>(client: RecountClient, list: string): Promise<T[]> {
  const items: T[] = [];
  for await (const item of client.list<T>(`/api/${list}/?limit=1000`)) items.push(item);
  return items;
}

/** Everything a caller can see of what is owed; a link names the address and the hour it was asked at. */
async function books(client: RecountClient): Promise<string> {
  const lists = {
    invoices: await all(client, 'invoices'),
    subscriptions: await all(client, 'subscriptions'),
    customers: await all(client, 'customers'),
  };
  return JSON.stringify(lists, undefined, 2)
    .replaceAll(client.baseUrl, '')
    .replaceAll(/&expires=\d+&signature=[\w-]+/g, '');
}

describe('a service that is stopped and started again', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'recount-restart-'));
  let service: ServiceProcess;

  beforeAll(async () => {
    service = await startServiceProcess(folder, START);
    const plan = await createPlan(service.client);
    await subscribeClients(service.client, plan, CLIENTS, START);
    const batch = CLIENTS.map((client, index) => ({
      event_name: 'request',
      customer_id: client,
      idempotency_id: `first-${index}`,
      time_created: START,
      properties: { bytes: 1_000_000 * (index + 1) },
    }));
    await service.client.post('/api/track/', { batch });
    await service.client.post('/api/test_clock/advance/', { to: '2026-02-02T00:00:00Z' });
  });

  afterAll(async () => {
    await service.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the same books after SIGTERM, which it answers by ending cleanly within 10 s', async () => {
    const before = await books(service.client);
    // One that is not done after 8 s ends itself, and not with 0.
    expect(await service.end('SIGTERM')).toBe(0);
    service = await startServiceProcess(folder, START);
    expect(await books(service.client)).toEqual(before);
  });

  it('has the same books after kill -9', async () => {
    const before = await books(service.client);
    await service.end('SIGKILL');
    service = await startServiceProcess(folder, START);
    expect(await books(service.client)).toEqual(before);
  });

  it('bills each month once, although it is killed in the middle of billing it', async () => {
    const to = '2026-03-02T00:00:00Z';
    const cutOff = service.client.post('/api/test_clock/advance/', { to }).catch(() => undefined);
    await sleep(150);
    await service.end('SIGKILL');
    await cutOff;
    service = await startServiceProcess(folder, START);
    await service.client.post('/api/test_clock/advance/', { to });

    const invoices = await all<Invoice>(service.client, 'invoices');
    const fees = invoices.flatMap(({ customer, line_items: lines }) =>
      lines
        .filter((line) => line.name === 'Monthly fee')
        .map((line) => `${customer.customer_id} ${line.start_date.slice(0, 10)}`),
    );
    const months = ['2026-01-01', '2026-02-01', '2026-03-01'];
    expect(fees.sort()).toEqual(
      CLIENTS.flatMap((client) => months.map((month) => `${client} ${month}`)).sort(),
    );
    const numbers = invoices.map((invoice) => invoice.invoice_number);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
