import request from 'supertest';
import { customerKeyOf } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { readModelsAtHead } from './stored.js';

/**
 * Opens the documents of issued invoices, voided ones included, which renders and records them.
 * @returns the bytes by invoice number
 */
export async function openDocuments(app: TestApp, customerId?: string): Promise<Map<string, Buffer>> {
  await readModelsAtHead(app);
  const { rows } = await app.pool.query<{ number: string }>(
    `select invoice_number as number from invoices
      where org = $1 and invoice_number is not null and ($2::uuid is null or customer_key = $2)`,
    [app.org, customerId === undefined ? null : customerKeyOf(app.org, customerId)],
  );
  const documents = new Map<string, Buffer>();
  for (const { number } of rows) {
    const { url } = (await app.request.get(`/api/invoices/${number}/pdf_url/`).expect(200)).body;
    const path = (url as string).replace(app.url, '');
    const { body } = await request(app.url).get(path).responseType('blob').expect(200);
    documents.set(number, body as Buffer);
  }
  return documents;
}
