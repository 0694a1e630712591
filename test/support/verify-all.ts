import { expect } from '@jest/globals';
import { issuedInvoice } from '../../src/billing/accounts/issued-invoice.js';
import { InvoiceVerifier } from '../../src/billing/verification/invoice-verifier.js';
import { Database } from '../../src/platform/database/open-database.js';
import { pagesOf } from './answers.js';
import type { TestApp } from './app.js';

interface Listed {
  readonly invoice_number: string;
}

/**
 * Verifies every issued invoice of the tenant and expects no differences: the newest one over HTTP, the others as
 * `recount verify` does, which reads once what they share.
 * @returns the number of invoices
 */
export async function verifyAll({ request, service, org }: TestApp): Promise<number> {
  const [newest, ...others] = (await pagesOf<Listed>(request, '/api/invoices/?limit=1000')).flat();
  if (!newest) return 0;
  const { body } = await request.post(`/api/invoices/${newest.invoice_number}/verify/`).expect(200);
  expect({ number: newest.invoice_number, ...body }).toMatchObject({
    number: newest.invoice_number,
    ok: true,
    differences: [],
  });
  const verify = service.app.get(InvoiceVerifier, { strict: false }).begin();
  for (const { invoice_number: number } of others) {
    const { ok, differences } = await verify(await issuedInvoice(service.app.get(Database), org, number));
    expect({ number, ok, differences }).toEqual({ number, ok: true, differences: [] });
  }
  return others.length + 1;
}
