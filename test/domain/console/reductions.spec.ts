import { describe, expect, it } from '@jest/globals';
import type { Invoice } from '../../../clients/typescript/src/index.js';
import { reductionsOf } from '../../../console/src/pages/invoices/reductions.js';

const invoice = (number: string, lines: Readonly<Record<string, number>>) =>
  ({
    invoice_id: `invoice_${number}`,
    invoice_number: number,
    line_items: Object.entries(lines).map(([name, amount]) => ({ name, amount })),
  }) as unknown as Invoice;

describe('what was due on an invoice', () => {
  it('is reduced by the later invoices that say so', () => {
    const later = [
      invoice('260620-000001', { 'Base fee': -199, 'Applied to 260601-000004': 199 }),
      invoice('260621-000001', { 'Applied to 260601-0000041': 3, 'Base fee': 5 }),
    ];
    expect(reductionsOf('260601-000004', later)).toEqual([
      { invoiceId: 'invoice_260620-000001', number: '260620-000001', amount: -199 },
    ]);
  });
});
