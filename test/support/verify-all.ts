import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { TestApp } from './app.js';

interface Listed {
  readonly invoice_id: string;
  readonly invoice_number: string;
}

/**
 * Computes every issued invoice of the tenant again and expects the same: for the end of a test that bills.
 * @returns how many there are, so that a test can say that there were some
 */
export async function verifyAll({ request, url }: Pick<TestApp, 'request' | 'url'>): Promise<number> {
  let verified = 0;
  for (let next: string | undefined = '/api/invoices/?limit=1000'; next;) {
    const page: Response = await request.get(next).expect(200);
    for (const { invoice_id: id, invoice_number: number } of page.body as Listed[]) {
      const answer = await request.post(`/api/invoices/${id}/verify/`).expect(200);
      expect({ number, ...answer.body }).toMatchObject({ number, ok: true, differences: [] });
      verified += 1;
    }
    next = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1]?.replace(url, '');
  }
  return verified;
}
