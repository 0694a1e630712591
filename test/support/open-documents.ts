import request from 'supertest';
import type { TestApp } from './app.js';
import { shopOf } from './shop.js';

/** Opens the documents of invoices, which are made and recorded then. @returns the bytes by number */
export async function openDocuments(app: TestApp, query = ''): Promise<Map<string, Buffer>> {
  const documents = new Map<string, Buffer>();
  for (const { invoice_number: number, invoice_pdf: link } of await shopOf(app).invoices(query)) {
    const { body } = await request(app.url)
      .get((link as string).replace(app.url, ''))
      .responseType('blob')
      .expect(200);
    documents.set(number as string, body as Buffer);
  }
  return documents;
}
