import type { Invoice } from '../../../../clients/typescript/src/index.js';
import { sumExactly } from '../../shared/exact-sum.js';

/** Part of what was due on an invoice that a later invoice takes off. */
interface Reduction {
  readonly invoiceId: string;
  readonly number: string | null;
  /** Negative. */
  readonly amount: number;
}

/** Lists the later invoices whose lines "Applied to <number>" take something off an invoice. */
export const reductionsOf = (number: string, later: readonly Invoice[]): Reduction[] =>
  later.flatMap(({ invoice_id: invoiceId, invoice_number: other, line_items: lines }) => {
    const applied = lines.filter(({ name }) => name === `Applied to ${number}`);
    if (applied.length === 0) return [];
    return [{ invoiceId, number: other, amount: -sumExactly(applied.map(({ amount }) => amount)) }];
  });
