import { describe, expect, it } from '@jest/globals';
import type { InvoiceDocument } from '../../../src/billing/pdf/invoice-document.js';
import { renderInvoice } from '../../../src/billing/pdf/render-invoice.js';
import { Wording } from '../../../src/billing/pdf/words.js';
import { instant } from '../../../src/kernel/instant.js';
import { pdfPages, type PdfItem } from '../../support/pdf-text.js';

const ROW = {
  name: 'API',
  notes: ['January'],
  quantity: '5',
  unitPrice: '',
  tax: '',
  amount: '1.10',
  tiers: [],
};

const pagesOf = async (changes: Partial<InvoiceDocument>): Promise<PdfItem[][]> =>
  pdfPages(
    await renderInvoice({
      title: 'Invoice',
      number: '260201-000001',
      issuedAt: instant('2026-02-01T00:30:00Z'),
      isVoided: false,
      words: new Wording('en', 'USD'),
      logo: undefined,
      seller: ['Seller'],
      customer: ['Customer'],
      facts: [['Due date', '15 February']],
      summary: '$1.10 due',
      hasTax: true,
      rows: [ROW],
      totals: [['Amount due', '$1.10']],
      payment: [],
      footer: 'Footer',
      ...changes,
    }),
  );

/** Text that breaks into words, with a number in each, so that a lost one is noticed. */
const wordsOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${String(index).padStart(3, '0')}`);

const textOf = (pages: readonly PdfItem[][]): string =>
  pages
    .flat()
    .map(({ text }) => text)
    .join(' ');

/** Lowest baseline that has room for a letter below it, in points from the edge of the paper. */
const LOWEST = 10;

const beyondThePaper = (pages: readonly PdfItem[][]): PdfItem[] => pages.flat().filter(({ y }) => y < LOWEST);

describe('a document with more than a page has room for', () => {
  it('has all totals, each once, where a credit note is applied to many invoices', async () => {
    const applied = wordsOf('Applied to invoice ', 70).map((name) => [name, '10.00'] as const);
    const pages = await pagesOf({ totals: [...applied, ['Amount due', '$0.00']] });
    expect(beyondThePaper(pages)).toEqual([]);
    const names = pages.flat().flatMap(({ text }) => /^(?:Applied to invoice|Amount due).*/.exec(text) ?? []);
    expect(names).toEqual([...applied.map(([name]) => name), 'Amount due']);
    // The footer stands below the totals.
    for (const items of pages)
      expect(items.filter(({ y, text }) => y < 60 && !/^(Footer|260201-)/.test(text))).toEqual([]);
  });

  it('keeps totals together that have room on one page', async () => {
    const applied = wordsOf('Applied to invoice ', 20).map((name) => [name, '10.00'] as const);
    const rows = Array.from({ length: 8 }, () => ROW);
    const pages = await pagesOf({ rows, totals: [...applied, ['Amount due', '$0.00']] });
    expect(pages).toHaveLength(2);
    expect(pages[0]!.filter(({ text }) => text.startsWith('Applied to'))).toEqual([]);
  });

  it('has a whole footer of 500 characters, above which the lines end', async () => {
    const footer = wordsOf('Amtsgericht', 33).join(' ').padEnd(500, '.');
    const rows = Array.from({ length: 40 }, () => ROW);
    const pages = await pagesOf({ rows, footer });
    expect(beyondThePaper(pages)).toEqual([]);
    for (const items of pages) {
      const ofFooter = items.filter(({ text }) => text.includes('Amtsgericht'));
      expect(textOf([ofFooter])).toBe(footer);
      const top = Math.max(...ofFooter.map(({ y }) => y));
      const others = items.filter((item) => !ofFooter.includes(item) && !item.text.startsWith('260201-'));
      expect(Math.min(...others.map(({ y }) => y))).toBeGreaterThan(top + 8);
    }
  });

  it.each(['seller', 'customer'] as const)(
    'has a whole %s of the longest names and addresses',
    async (party) => {
      const lines = ['name', 'street', 'yard', 'city', 'state', 'number'].map((name) =>
        wordsOf(name, name === 'street' || name === 'yard' ? 60 : 40).join(' '),
      );
      const pages = await pagesOf({ [party]: lines });
      expect(beyondThePaper(pages)).toEqual([]);
      const text = textOf(pages);
      for (const word of lines.join(' ').split(' ')) expect(text).toContain(word);
      expect(text.indexOf('Description')).toBeGreaterThan(text.indexOf('number039'));
      for (const items of pages)
        expect(items.filter(({ y, text: shown }) => y < 60 && !/^(Footer|260201-)/.test(shown))).toEqual([]);
    },
  );

  it('lets other requests run after every line and every tier', async () => {
    let [tick, isOver] = [0, false];
    const next = () => {
      tick += 1;
      if (!isOver) setImmediate(next);
    };
    const ticks = new Map<string, number>();
    const noting = <Part extends object>(name: string, part: Part) => ({
      ...part,
      get name() {
        ticks.set(name, tick);
        return name;
      },
    });
    const tiers = wordsOf('above ', 500).map((name) =>
      noting(name, { quantity: '1', unitPrice: '2', amount: '3' }),
    );
    const rows = wordsOf('Line ', 30).map((name) => noting(name, ROW));
    setImmediate(next);
    const pages = await pagesOf({ rows: [{ ...ROW, tiers }, ...rows] }).finally(() => (isOver = true));
    expect(ticks.size).toBe(530);
    expect(new Set(ticks.values()).size).toBe(530);
    expect(pages.flat().filter(({ text }) => text.startsWith('above '))).toHaveLength(500);
  });
});
