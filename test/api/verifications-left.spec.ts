import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { InvoiceVerifier } from '../../src/billing/verification/invoice-verifier.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

let app: TestApp;
let invoice: string;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(app);
  const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  await shop.customer('acme');
  await shop.subscribe('acme', plan, '2026-01-01');
  invoice = (await shop.invoices())[0].invoice_id;
});
afterAll(() => app.stop());

it('a verification whose client left while it waited does not begin', async () => {
  const verifier = app.service.app.get(InvoiceVerifier, { strict: false });
  const begin = verifier.begin.bind(verifier);
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const begun = jest.spyOn(verifier, 'begin').mockImplementation((options) => {
    const verify = begin(options);
    return async (one) => {
      await gate;
      return verify(one);
    };
  });
  const verify = (signal: AbortSignal | null = null): Promise<Response> =>
    fetch(new URL(`/api/invoices/${invoice}/verify/`, app.url), {
      method: 'POST',
      headers: { 'X-API-KEY': app.key },
      signal,
    });

  // An organization verifies two invoices at a time.
  const held = [verify(), verify()];
  await until(() => begun.mock.calls.length === 2);
  let [arrived, closed] = [0, 0];
  app.service.app.getHttpServer().on('request', (_request: unknown, response: ServerResponse) => {
    arrived += 1;
    response.once('close', () => (closed += 1));
  });
  const leaving = new AbortController();
  const waiting = verify(leaving.signal).then(
    () => 'answered',
    () => 'left',
  );
  await until(() => arrived === 1);
  await sleep(300);
  leaving.abort();
  expect(await waiting).toBe('left');
  await until(() => closed === 1);
  open();
  expect((await Promise.all([...held, verify()])).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(begun).toHaveBeenCalledTimes(3);
});
