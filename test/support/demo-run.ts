import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { hashOf, readLog } from '../../demo/access-log.js';
import { billLog } from '../../demo/bill-log.js';
import { startOfMonthOf, survey } from '../../demo/log-calendar.js';
import { RecountClient } from './recount-client.js';
import { startTestApp, type TestApp } from './app.js';

export interface Totals {
  requests: number;
  bytes: number;
}

interface Invoice {
  readonly customer: { readonly customer_id: string };
  readonly start_date: string;
  readonly amount: number;
  readonly line_items: readonly {
    readonly name: string;
    readonly quantity: number | null;
    readonly amount: number;
  }[];
}

/** Counts requests and bytes per client from the log's text, without any code of the demo. */
export function countIndependently(file: string): Map<string, Totals> {
  const raw = readFileSync(file);
  const text = (raw[0] === 0x1f ? gunzipSync(raw) : raw).toString('utf8');
  const totals = new Map<string, Totals>();
  for (const line of text.split('\n')) {
    const quoteEnd = line.search(/" \d{3} (\d+|-)( |$)/);
    if (quoteEnd < 0 || line.includes('[31/Feb/')) continue;
    const client = line.slice(0, line.indexOf(' '));
    const bytes = line.slice(quoteEnd + 6).split(' ')[0]!;
    const total = totals.get(client) ?? { requests: 0, bytes: 0 };
    totals.set(client, {
      requests: total.requests + 1,
      bytes: total.bytes + (bytes === '-' ? 0 : Number(bytes)),
    });
  }
  return totals;
}

export interface DemoRun {
  readonly app: TestApp;
  readonly client: RecountClient;
  readonly clients: readonly string[];
  /** Bills the log as `npm run demo` does. A second call changes nothing. */
  bill(): Promise<{ events: number; failed: number }>;
  invoices(): Promise<Invoice[]>;
}

export async function startDemoRun(file: string): Promise<DemoRun> {
  const found = await survey(readLog(file));
  const log = { ...found, file, hash: await hashOf(file) };
  const app = await startTestApp({
    clockStart: startOfMonthOf(log.slices[0]!.from),
    env: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
  });
  const client = new RecountClient(app.url, app.key);
  return {
    app,
    client,
    clients: found.clients,
    bill: () => billLog(client, log, () => undefined),
    invoices: async () => {
      const invoices: Invoice[] = [];
      for await (const invoice of client.list<Invoice>('/api/invoices/?limit=1000')) invoices.push(invoice);
      return invoices;
    },
  };
}

/** Sums the invoiced requests and bytes per client. */
export function billedTotals(invoices: readonly Invoice[]): Map<string, Totals> {
  const totals = new Map<string, Totals>();
  for (const { customer, line_items: lines } of invoices) {
    const total = totals.get(customer.customer_id) ?? { requests: 0, bytes: 0 };
    for (const { name, quantity } of lines) {
      if (name === 'Requests') total.requests += quantity!;
      if (name === 'Bytes sent') total.bytes += quantity!;
    }
    totals.set(customer.customer_id, total);
  }
  return totals;
}
