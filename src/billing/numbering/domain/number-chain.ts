import { sha256Hex } from '../../../kernel/canonical-json.js';
import type { NumberSeriesEvent } from '../../accounts/domain/events.js';

type Assignment = NumberSeriesEvent['data']['assignments'][number];

/** Faults in a day's numbers, which should be 1, 2, 3 … without gap or repeat, each hash upon the one before. */
export function faultsOfChain(day: string, assignments: readonly Assignment[]): string[] {
  const faults: string[] = [];
  const invoices = new Set<string>();
  let chained = '';
  assignments.forEach(({ invoiceId, number, resultHash, chainHash }, place) => {
    const due = `${day}-${String(place + 1).padStart(6, '0')}`;
    if (number !== due) faults.push(`${number} stands where ${due} is due`);
    if (invoices.has(invoiceId)) faults.push(`${number} is a second number of invoice ${invoiceId}`);
    invoices.add(invoiceId);
    if (sha256Hex(chained + resultHash) !== chainHash)
      faults.push(`the chain of the day breaks at ${number}`);
    chained = chainHash;
  });
  return faults;
}
