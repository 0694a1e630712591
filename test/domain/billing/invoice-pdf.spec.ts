import { mock } from 'node:test';
import zlib from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { instant } from '../../../src/kernel/instant.js';
import type { DocumentRow } from '../../../src/billing/pdf/document-rows.js';
import type { InvoiceDocument } from '../../../src/billing/pdf/invoice-document.js';
import { renderInvoice } from '../../../src/billing/pdf/render-invoice.js';
import { Wording } from '../../../src/billing/pdf/words.js';
import { aPng } from '../../support/builders/png.js';
import { pdfPages, pdfText } from '../../support/pdf-text.js';

const ROW: DocumentRow = {
  name: 'API calls',
  notes: ['1–31 January 2026', 'Basic v1 · region = eu'],
  quantity: '101',
  unitPrice: '0.01',
  tax: '10%',
  amount: '1.10',
  tiers: [],
};

const aDocument = (changes: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  title: 'Invoice',
  number: '260201-000001',
  issuedAt: instant('2026-02-01T00:30:00Z'),
  isVoided: false,
  words: new Wording(null, 'USD'),
  logo: undefined,
  seller: ['Łódź Hosting sp. z o.o.', 'ul. Długa 1'],
  customer: ['Αθήνα Εμπορική', 'ООО «Жёлтый»'],
  facts: [['Due date', '15 February 2026']],
  summary: '$1.10 due by 15 February 2026',
  hasTax: true,
  rows: [ROW],
  totals: [['Amount due', '$1.10']],
  payment: [],
  footer: 'Łódź Hosting',
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

  it('can be searched for letters that an earlier document had only with accents', async () => {
    const text = async (...customer: string[]) => pdfText(await renderInvoice(aDocument({ customer })));
    expect(await text('Ѷ ѷ')).toContain('Ѷ ѷ');
    expect(await text('Ѵ ѵ')).toContain('Ѵ ѵ');
  });

  it('has Chinese, Hindi, Arabic and Hebrew names beside Latin ones, each in the order in which it is read', async () => {
    const customer = ['株式会社 Acme', 'हिन्दी Ltd', 'شركة النور Co', 'שלום (Street) 12'];
    const pages = pdfPages(await renderInvoice(aDocument({ customer })));
    const items = pages[0]!;
    const lineOf = (part: string) => {
      const { y } = items.find(({ text }) => text.includes(part))!;
      return items
        .filter((item) => Math.abs(item.y - y) < 4 && item.x > 290)
        .sort((a, b) => a.x - b.x)
        .map(({ text }) => text)
        .join('');
    };
    expect(lineOf('Acme')).toBe('株式会社 Acme');
    expect(lineOf('Ltd')).toBe('हिन्दी Ltd');
    // Glyphs are listed from left to right: the last letter of a right-to-left word comes first.
    expect(lineOf('Co').replaceAll(' ', '')).toBe('رونلاةكرشCo');
    expect(lineOf('Street').replaceAll(' ', '')).toBe('םולש(Street)12');
    expect(
      pages
        .flat()
        .map(({ text }) => text)
        .join(''),
    ).not.toContain('□');
  });

  it('is laid out from the right in Arabic, and leaves what has no Arabic letter as it is', async () => {
    const words = new Wording('ar', 'USD');
    const pages = pdfPages(await renderInvoice(aDocument({ words, customer: ['+49 40 123456'] })));
    const number = pages[0]!.find(({ text }) => text.includes('+49'))!;
    expect(number.text).toBe('+49 40 123456');
    const name = pages[0]!.find(({ text }) => text === ROW.name)!;
    const amount = pages[0]!.find(({ text }) => text === ROW.amount)!;
    expect(name.x).toBeGreaterThan(amount.x);
  });

  it('writes Arabic and Persian digits from the left, as all numbers are read', async () => {
    const customer = ['شركة ٢٠٢٦', '١٢ شارع', 'خیابان ۱۳۴۵'];
    const words = new Wording('ar-EG', 'EGP');
    const totals = [['المبلغ', words.amount('371.12')] as const];
    const text = pdfText(await renderInvoice(aDocument({ words, customer, totals })));
    for (const part of ['٢٠٢٦', '١٢', '۴۵', '٣٧١٫١٢']) expect(text).toContain(part);
  });

  it('keeps a sign and a percent sign where the language puts them', async () => {
    const words = new Wording('ar', 'USD');
    const label = words.word('taxOn', { rate: words.percent('19'), amount: words.amount('-10.5') });
    const pages = pdfPages(
      await renderInvoice(aDocument({ words, totals: [[label, words.amount('-10.50')]] })),
    );
    const texts = pages.flat().map(({ text }) => text.trim());
    expect(texts).toContain('19%');
    for (const part of ['-10.5ىلع', '-10.50']) expect(texts.join('')).toContain(part);
    expect(texts.join('')).not.toMatch(/[\u200e\u200f\u061c□]/);
  });

  it('breaks the name of a total that is wider than its column, and keeps its size', async () => {
    const words = new Wording('de', 'EUR');
    const totals = [
      [words.word('reverseCharge', { amount: words.amount('3274.12') }), words.amount('0.00')],
      [words.word('amountDue'), words.money('3274.12')],
    ] as const;
    const items = pdfPages(await renderInvoice(aDocument({ words, totals }))).flat();
    const [first, second, value, next] = ['Steuerschuldnerschaft', '3.274,12', '0,00', 'Zu zahlen'].map(
      (part) => items.find(({ text }) => text.includes(part))!,
    );
    expect(first!.y).toBeCloseTo(value!.y, 0);
    expect(Math.abs(second!.y - first!.y)).toBeGreaterThan(5);
    expect(Math.abs(next!.y - first!.y)).toBeGreaterThan(Math.abs(second!.y - first!.y));
  });

  it('has a Hebrew amount with its number at the right, before the sign, in a total as in a sentence', async () => {
    const words = new Wording('he', 'ILS');
    const pages = pdfPages(
      await renderInvoice(aDocument({ words, totals: [['סכום', words.money('371.12')]] })),
    );
    const items = pages.flat();
    const [sign, number] = ['₪', '371.12'].map((part) => items.find(({ text }) => text.includes(part))!);
    expect(sign!.y).toBeCloseTo(number!.y, 0);
    expect(sign!.x).toBeLessThan(number!.x);
  });

  it('has the pixels of a logo with opacity prepared once for all documents', async () => {
    const logo = aPng(30, 10, [4, 5, 6], true);
    const compress = jest.spyOn(zlib, 'deflateSync');
    const preparations = () =>
      compress.mock.calls
        .map(([data]) => (data as Uint8Array).length)
        .filter((length) => [30 * 10 * 3, 30 * 10].includes(length));
    try {
      const first = await renderInvoice(aDocument({ logo }));
      expect(preparations()).toEqual([30 * 10 * 3, 30 * 10]);
      expect((await renderInvoice(aDocument({ logo }))).equals(first)).toBe(true);
      expect(preparations()).toEqual([30 * 10 * 3, 30 * 10]);
    } finally {
      compress.mockRestore();
    }
  });

  it('is the same bytes for the same invoice, whenever it is made and however long it is', async () => {
    const rows = Array.from({ length: 60 }, () => ROW);
    const long = aDocument({ logo: aPng(200, 100, [9, 8, 7], true), rows });
    expect((await renderInvoice(long)).equals(await renderInvoice(long))).toBe(true);
    const logo = aPng(20, 10, [1, 2, 3], true);
    const first = await renderInvoice(aDocument({ logo }));
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 86_400_000 });
    const later = await renderInvoice(aDocument({ logo })).finally(() => mock.timers.reset());
    expect(later.equals(first)).toBe(true);
    expect((await renderInvoice(aDocument({ logo, number: '260201-000002' }))).equals(first)).toBe(false);
  });

  it('has thirty pages for 450 lines, each line once, in their order', async () => {
    const rows = Array.from({ length: 450 }, (_, place) => ({ ...ROW, name: `Line ${place + 1}` }));
    const pages = pdfPages(await renderInvoice(aDocument({ rows })));
    expect(pages.length).toBeGreaterThanOrEqual(30);
    const names = pages.flat().flatMap(({ text }) => /^Line \d+$/.exec(text) ?? []);
    expect(names).toEqual(rows.map(({ name }) => name));
    pages.forEach((items, place) => {
      const texts = items.map(({ text }) => text);
      expect(texts).toContain(`260201-000001 · Page ${place + 1} of ${pages.length}`);
      expect(items.filter(({ y, text }) => y < 55 && !/^(260201-000001|Łódź) /.test(text))).toEqual([]);
    });
  });

  it('repeats the head of the table and counts the pages when it is long', async () => {
    const tier = { name: 'above 10', quantity: '1', unitPrice: '2', amount: '3' };
    const rows = Array.from({ length: 120 }, (_, place) => ({
      ...ROW,
      name: `Line ${place + 1}`,
      tiers: place === 60 ? Array.from({ length: 90 }, () => tier) : [],
    }));
    const pages = pdfPages(await renderInvoice(aDocument({ rows })));
    expect(pages.length).toBeGreaterThan(3);
    pages.forEach((items, place) => {
      const texts = items.map(({ text }) => text);
      expect(texts).toContain(`260201-000001 · Page ${place + 1} of ${pages.length}`);
      if (texts.some((text) => text.startsWith('Line '))) expect(texts).toContain('Description');
      // No other text overlaps the footer.
      expect(items.filter(({ y, text }) => y < 55 && !/^(260201-000001|Łódź) /.test(text))).toEqual([]);
    });
    // Tiers that continue on a new page repeat the name of their line.
    expect(pages.filter((items) => items.some(({ text }) => text === 'Line 61 …')).length).toBeGreaterThan(0);
    const lines = pages.flat().flatMap(({ text }) => /^Line (\d+)$/.exec(text)?.[1] ?? []);
    expect(lines).toEqual(rows.map((_, place) => String(place + 1)));
  });

  it('shows a stand-in, and says so, for what its fonts have no shape for', async () => {
    const text = pdfText(await renderInvoice(aDocument({ customer: ['한국 Acme'] })));
    expect(text).toContain('□□');
    expect(text).toContain('stands for a character');
    expect(pdfText(await renderInvoice(aDocument()))).not.toContain('□');
  });

  it('keeps numbers whole, and long names inside their page', async () => {
    const amount = '-9999999999.99';
    const row = {
      ...ROW,
      amount,
      unitPrice: amount,
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
