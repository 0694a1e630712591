import { describe, expect, it } from '@jest/globals';
import { instant } from '../../../src/kernel/instant.js';
import type { DocumentRow, InvoiceDocument } from '../../../src/billing/pdf/invoice-document.js';
import { renderInvoice } from '../../../src/billing/pdf/render-invoice.js';
import { pdfPages, pdfText } from '../../support/pdf-text.js';

const ROW: DocumentRow = {
  name: 'API calls',
  note: 'Basic v1 · region = eu',
  period: ['2026-01-01', '2026-01-31'],
  quantity: '101',
  base: '1.50',
  adjustments: '-0.50',
  tax: '0.10',
  amount: '1.10',
};

const aDocument = (changes: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  number: '260201-000001',
  issuedAt: instant('2026-02-01T00:30:00Z'),
  isVoided: false,
  seller: ['Łódź Hosting sp. z o.o.', 'ul. Długa 1'],
  customer: ['Αθήνα Εμπορική', 'ООО «Жёлтый»'],
  facts: [['Due date', '2026-02-15']],
  rows: [ROW],
  totals: [['Amount due', '1.10 USD']],
  ...changes,
});

describe('the PDF of an invoice', () => {
  it('has names in Latin, Greek and Cyrillic letters as they are written', async () => {
    const text = pdfText(await renderInvoice(aDocument()));
    for (const part of ['Łódź Hosting sp. z o.o.', 'ul. Długa 1', 'Αθήνα Εμπορική', 'ООО «Жёлтый»']) {
      expect(text).toContain(part);
    }
    for (const part of Object.values(ROW).flat()) expect(text).toContain(part);
  });

  it('is the same bytes for the same invoice, whenever it is made', async () => {
    const first = await renderInvoice(aDocument());
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await renderInvoice(aDocument())).equals(first)).toBe(true);
    expect((await renderInvoice(aDocument({ number: '260201-000002' }))).equals(first)).toBe(false);
  });

  it('repeats the head of the table and counts the pages when it is long', async () => {
    const rows = Array.from({ length: 120 }, (_, place) => ({ ...ROW, name: `Line ${place + 1}` }));
    const pages = pdfPages(await renderInvoice(aDocument({ rows })));
    expect(pages.length).toBeGreaterThan(3);
    pages.forEach((items, place) => {
      const texts = items.map(({ text }) => text);
      expect(texts).toContain(`Page ${place + 1} of ${pages.length}`);
      if (texts.some((text) => text.startsWith('Line '))) expect(texts).toContain('Description');
      // Nothing runs into the footer.
      expect(items.filter(({ y, text }) => y < 45 && !/^(Page|Invoice) /.test(text))).toEqual([]);
    });
    const lines = pages.flat().flatMap(({ text }) => /^Line (\d+)$/.exec(text)?.[1] ?? []);
    expect(lines).toEqual(rows.map((_, place) => String(place + 1)));
  });

  it('shows a stand-in, and says so, for what the font has no shape for', async () => {
    const text = pdfText(await renderInvoice(aDocument({ customer: ['株式会社 Acme'] })));
    expect(text).toContain('□□□□ Acme');
    expect(text).toContain('stands for a character');
    expect(pdfText(await renderInvoice(aDocument()))).not.toContain('□');
  });

  it('keeps numbers whole, and long names inside their page', async () => {
    const amount = '-9999999999.99';
    const row = {
      ...ROW,
      amount,
      base: amount,
      quantity: '123456789012.0123456789',
      name: 'n'.repeat(5_000),
    };
    const pages = pdfPages(
      await renderInvoice(aDocument({ rows: [row], customer: ['x\u0000\n\u202e'.repeat(900)] })),
    );
    const texts = pages.flat().map(({ text }) => text);
    expect(texts.filter((text) => text === amount)).toHaveLength(2);
    expect(texts).toContain(row.quantity);
    expect(pages).toHaveLength(1);
  });

  it('says of a voided invoice on every page that it is void', async () => {
    const rows = Array.from({ length: 60 }, () => ROW);
    const pages = pdfPages(await renderInvoice(aDocument({ rows, isVoided: true })));
    for (const items of pages) expect(items.map(({ text }) => text)).toContain('VOID');
  });
});
