import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Recount, PreconditionFailedError } from '../../clients/typescript/src/index.js';
import { ApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Document } from './document.js';
import { writePython } from './write-python.js';
import { writeTypescript } from './write-typescript.js';

const CLIENTS = path.resolve(import.meta.dirname, '../../clients');

let app: TestApp;
let recount: Recount;
beforeAll(async () => {
  app = await startTestApp();
  recount = new Recount({ baseUrl: app.url, apiKey: app.key });
});
afterAll(() => app.stop());

describe('the generated part of the client', () => {
  it.each([
    ['typescript/src/generated', writeTypescript],
    ['python/recount_client/generated', writePython],
  ])('in %s is what `npm run generate:clients` writes from the API document', async (folder, write) => {
    const document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as Document;
    const generated = path.join(CLIENTS, folder);
    const files = Object.entries(await write(document));
    if (process.env['WRITE_CLIENTS'] === 'true') {
      mkdirSync(generated, { recursive: true });
      for (const [name, text] of files) writeFileSync(path.join(generated, name), text);
    }
    for (const [name, text] of files) {
      const isCurrent = readFileSync(path.join(generated, name), 'utf8') === text;
      expect({ name, isCurrent }).toEqual({ name, isCurrent: true });
    }
  });
});

describe('the TypeScript client', () => {
  it('goes from a plan to an invoice and its PDF; a dry run answers an invoice and changes nothing', async () => {
    const planOf = (name: string, amount: number) =>
      recount.createPlan({
        plan_name: name,
        plan_duration: 'monthly',
        initial_version: {
          currency_code: 'USD',
          recurring_charges: [
            { name: 'Fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate' },
          ],
        },
      });
    const [small, large] = [await planOf('Small', 30), await planOf('Large', 60)];
    await recount.createCustomer({ customer_id: 'acme/1', customer_name: 'Acme' });
    const subscription = await recount.createSubscription({
      customer_id: 'acme/1',
      plan_id: small.plan_id,
      start_date: '2026-01-01T00:00:00Z',
    });
    const change = { switch_plan_id: large.plan_id };
    const preview = await recount.switchPlan(subscription.subscription_id, change, { preview: true });
    expect(preview.invoices.map(({ amount }) => amount)).toEqual([30]);
    expect((await recount.getSubscription(subscription.subscription_id)).billing_plan.plan_name).toBe(
      'Small',
    );
    const switched = await recount.switchPlan(subscription.subscription_id, change);
    expect(switched.billing_plan.plan_name).toBe('Large');

    const invoices = await recount.listInvoices({ customer_id: 'acme/1' }).all();
    expect(invoices.map(({ amount }) => amount)).toEqual([30, 30]);
    const { invoice_pdf: link } = await recount.getInvoicePdfUrl(invoices[0]!.invoice_id);
    const { pathname, search } = new URL(link!);
    const pdf = await recount.request<Uint8Array>({ method: 'GET', path: pathname + search });
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');
  });

  it('reads a list page by page, as far as it is asked for', async () => {
    const names = Array.from({ length: 7 }, (_, n) => `Feature ${n}`);
    for (const feature_name of names) await recount.createFeature({ feature_name });
    const pages = recount.listFeatures({ limit: 3 });
    const read: string[] = [];
    for await (const { feature_name } of pages) read.push(feature_name);
    expect(read.sort()).toEqual(names);
    const sizes: number[] = [];
    for await (const { items } of pages.byPage()) sizes.push(items.length);
    expect(sizes).toEqual([3, 3, 1]);
    for await (const _ of pages) break;
    expect((await pages.all()).length).toBe(7);
  });

  it('repeats a request under one key without a second effect', async () => {
    const once = { feature_name: 'Only once' };
    const first = await recount.createFeature(once, { idempotencyKey: 'once' });
    expect(await recount.createFeature(once, { idempotencyKey: 'once' })).toEqual(first);
  });

  it('sees its writes, also those that ran at once, and hands their positions on', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => recount.createFeature({ feature_name: `At once ${n}` })),
    );
    const { key } = await recount.createApiKey({ name: 'another reader' });
    const reader = new Recount({ baseUrl: app.url, apiKey: key! });
    expect(recount.position!.split(', ').length).toBeGreaterThan(1);
    reader.seeAtLeast(recount.position!);
    expect(reader.position).toBe(recount.position);
    const seen = await reader.listFeatures({ limit: 1000 }).all();
    expect(seen.filter(({ feature_name: name }) => name.startsWith('At once'))).toHaveLength(8);
  });

  it('answers files as bytes and notes as text', async () => {
    const [invoice] = await recount.listInvoices({ limit: 1 }).all();
    const bundle = await recount.getInvoiceEvidence(invoice!.invoice_id);
    expect(Buffer.from(bundle.subarray(0, 4)).toString('latin1')).toBe('PK\u0003\u0004');
    await recount.createCheckpoint();
    const checkpoint: string = await recount.getLatestCheckpoint();
    expect(checkpoint).toContain('\n');
  });

  it('changes a resource only if it still has its ETag', async () => {
    const customer = await recount.createCustomer({ customer_id: 'etag' });
    const read = await recount.getCustomer('etag');
    const { etag, isStale } = recount.metadata(read)!;
    expect({ etag: typeof etag, isStale }).toEqual({ etag: 'string', isStale: false });
    await recount.updateCustomer(customer.customer_id!, { customer_name: 'A' }, { ifMatch: etag });
    await expect(
      recount.updateCustomer(customer.customer_id!, { customer_name: 'B' }, { ifMatch: etag }),
    ).rejects.toThrow(PreconditionFailedError);
  });
});
