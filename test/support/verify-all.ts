import { expect } from '@jest/globals';
import { pagesOf } from './answers.js';
import type { TestApp } from './app.js';

interface Listed {
  readonly invoice_id: string;
  readonly invoice_number: string;
}

/** Verifies every issued invoice of the tenant and expects no differences. @returns the number of invoices */
export async function verifyAll({ request }: Pick<TestApp, 'request'>): Promise<number> {
  const invoices = (await pagesOf<Listed>(request, '/api/invoices/?limit=1000')).flat();
  for (const { invoice_id: id, invoice_number: number } of invoices) {
    const answer = await request.post(`/api/invoices/${id}/verify/`).expect(200);
    expect({ number, ...answer.body }).toMatchObject({ number, ok: true, differences: [] });
  }
  return invoices.length;
}
