import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { amountsBreakingRules, partOf } from '../support/e-invoice-rules.js';
import { pdfText } from '../support/pdf-text.js';
import { shopOf } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

describe('an invoice of a customer that owes the tax', () => {
  let app: TestApp;
  let invoice: { invoice_id: string; amount: number };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    const shop = shopOf(app);
    const seller = {
      address: { country: 'DK' },
      tax_ids: [{ type: 'vat', value: 'DK12345678' }],
      tax_rate: 25,
    };
    await app.request.patch('/api/organization/').send(seller).expect(200);
    const planId = await shop.plan('Discounted', {
      recurring_charges: [aChargeBody()],
      price_adjustment: {
        price_adjustment_name: 'Launch',
        price_adjustment_type: 'percentage',
        price_adjustment_amount: -10,
      },
    });
    await shop.customer('owing', {
      address: { country: 'PL' },
      tax_rate: 0,
      tax_ids: [{ type: 'vat', value: 'PL5250001122' }],
      reverse_charge: true,
    });
    await shop.subscribe('owing', planId, '2026-01-01');
    [invoice] = await shop.invoices();
  });
  afterAll(() => app.stop());

  const bytesOf = async (document: string, status = 200): Promise<Buffer> =>
    (
      await app.request
        .get(`/api/invoices/${invoice.invoice_id}/${document}/`)
        .responseType('blob')
        .expect(status)
    ).body;

  it('says so in words, and has the number of the customer', async () => {
    const text = pdfText(await bytesOf('pdf')).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Reverse charge: the customer owes the tax on');
    expect(text).toContain('VAT number PL5250001122');
  });

  it('says so in the e-invoice, where the discount is an allowance of its line', async () => {
    const xml = String(await bytesOf('e-invoice'));
    expect(amountsBreakingRules(xml)).toEqual([]);
    expect(partOf(xml, 'CategoryCode')).toBe('AE');
    expect(partOf(xml, 'Reason')).toBe('Discount');
    expect(Number(partOf(xml, 'ActualAmount')) * 9).toBeCloseTo(invoice.amount);
  });

  it('has no e-invoice after an erasure, which takes the reason for its rate of 0', async () => {
    await app.request.post('/api/customers/owing/delete/').send({}).expect(200);
    await app.request.post('/api/customers/owing/erase/').send({}).expect(200);
    expect(String(await bytesOf('e-invoice', 400))).toContain('erased with the customer');
    expect(pdfText(await bytesOf('pdf'))).not.toContain('PL5250001122');
    expect(await verifyAll(app)).toBeGreaterThan(0);
  });
});
