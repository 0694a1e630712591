import type { InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import type { Uuid } from '../../kernel/ids.js';
import { groupBy } from '../../kernel/iteration.js';
import type { EarlierInvoice } from './account-before.js';

/** Line of an earlier invoice. */
export interface EarlierLine {
  readonly invoiceId: Uuid;
  readonly number: string | null;
  /** Index of the line on that invoice. */
  readonly index: number;
  readonly line: InvoiceLine;
}

/** Line of an earlier invoice that a line reverses, with the reversed part of its base. */
export interface ReversedLine extends EarlierLine {
  /** Minor units, positive. */
  readonly amount: bigint;
}

interface OpenLine extends EarlierLine {
  /** Part of its base that is not reversed yet. */
  left: bigint;
}

/**
 * Finds the earlier lines that each line of an invoice reverses, in the order of its lines; nothing for a
 * line that charges. A reversal reduces the line that was charged last under its key, of the same tax rate
 * first (docs/billing.md#reversals, docs/billing.md#usage-lines).
 * @param before invoices that were not voided, in order
 */
export function reversalsOf(
  lines: readonly InvoiceLine[],
  before: Iterable<EarlierInvoice>,
): readonly (readonly ReversedLine[])[] {
  const open = new Map<string, OpenLine[]>();
  for (const { invoiceId, number, lines: earlier } of before) {
    for (const line of earlier) reverseLine(line, open);
    earlier.forEach((line, index) => {
      const left = BigInt(line.base.amount);
      if (left <= 0n) return;
      const charged = open.get(line.chargeKey) ?? [];
      charged.push({ invoiceId, number, index, line, left });
      open.set(line.chargeKey, charged);
    });
  }
  return lines.map((line) => reverseLine(line, open));
}

function reverseLine(line: InvoiceLine, open: ReadonlyMap<string, readonly OpenLine[]>): ReversedLine[] {
  let size = -BigInt(line.base.amount);
  if (size <= 0n) return [];
  const charged = [...(open.get(line.chargeKey) ?? [])].reverse();
  const isSame = (other: OpenLine) => other.line.explanation.taxRate === line.explanation.taxRate;
  const found: ReversedLine[] = [];
  for (const candidate of [...charged.filter(isSame), ...charged.filter((other) => !isSame(other))]) {
    const amount = candidate.left < size ? candidate.left : size;
    if (amount <= 0n) continue;
    candidate.left -= amount;
    size -= amount;
    const { invoiceId, number, index, line: from } = candidate;
    found.push({ invoiceId, number, index, line: from, amount });
  }
  return found;
}

/** Groups the lines of earlier invoices by charge key. */
export function earlierLines(invoices: Iterable<EarlierInvoice>): Map<string, EarlierLine[]> {
  const charged = [...invoices].flatMap(({ invoiceId, number, lines }) =>
    lines
      .map((line, index) => ({ invoiceId, number, index, line }))
      .filter(({ line }) => line.subscriptionId !== null),
  );
  return groupBy(charged, ({ line }) => line.chargeKey);
}
