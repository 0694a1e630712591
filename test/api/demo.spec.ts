import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEndpoints, showcase } from '../../demo/showcase.js';
import { billedTotals, countIndependently, startDemoRun, type DemoRun } from '../support/demo-run.js';

const SAMPLE = path.resolve(import.meta.dirname, '../../demo/sample-access.log');

describe('billing the sample log', () => {
  let run: DemoRun;
  beforeAll(async () => {
    run = await startDemoRun(SAMPLE);
    await run.bill();
  });
  afterAll(() => run.app.stop());

  it('counts every request once: totals per client equal a count straight from the log', async () => {
    const counted = countIndependently(SAMPLE);
    expect(billedTotals(await run.invoices())).toEqual(counted);
    expect([...counted.keys()].sort()).toEqual([...run.clients].sort());
  });

  it('bills each month once, in order: the fee at its start, its usage at its end', async () => {
    const fees = new Map<string, number>();
    for (const invoice of await run.invoices()) {
      const count = invoice.line_items.filter((line) => line.name === 'Monthly fee').length;
      fees.set(invoice.customer.customer_id, (fees.get(invoice.customer.customer_id) ?? 0) + count);
    }
    // The fees of March, April and May, charged in advance.
    for (const client of run.clients) expect([client, fees.get(client)]).toEqual([client, 3]);
  });

  it('changes nothing when it is done again', async () => {
    const before = await run.invoices();
    expect(await run.bill()).toMatchObject({ failed: 0 });
    expect(await run.invoices()).toEqual(before);
  });

  it('tells of three companies beside it, once', async () => {
    await showcase(run.client, '2026-05-01T00:00:00.000000Z');
    const { body: first } = await run.app.request.get('/api/audit/log/?limit=1').expect(200);
    const invoices = await run.invoices();
    const names = new Set(invoices.map(({ customer }) => customer.customer_id));
    expect([...names]).toEqual(expect.arrayContaining(['northwind', 'fabrikam', 'contoso']));
    await showcase(run.client, '2026-05-01T00:00:00.000000Z');
    expect(await run.invoices()).toEqual(invoices);
    expect((await run.app.request.get('/api/audit/log/?limit=1').expect(200)).body).toEqual(first);
  });

  it('sends webhooks to the port of the newest run', async () => {
    for (const port of [3001, 3001, 4001, 3001])
      await createEndpoints(run.client, `http://127.0.0.1:${port}/books`);
    const endpoints = await run.client.listWebhooks().all();
    expect(endpoints.map(({ name, webhook_url: url }) => [name, url]).sort()).toEqual([
      ['Books', 'http://127.0.0.1:3001/books'],
      ['Former chat', 'http://127.0.0.1:9/chat'],
    ]);
  });
});
