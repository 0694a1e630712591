import type { Invoice, Recount } from '../clients/typescript/src/index.js';

/**
 * Prints the largest invoices with their lines. It reads the list page by page and keeps only the largest.
 */
export async function largestInvoices(
  client: Recount,
  howMany: number,
): Promise<{ count: number; text: string }> {
  let count = 0;
  let largest: Invoice[] = [];
  for await (const invoice of client.listInvoices({ limit: 500 })) {
    count++;
    largest = [...largest, invoice].sort((a, b) => b.amount - a.amount).slice(0, howMany);
  }
  return { count, text: largest.map(describe).join('\n') };
}

function describe(invoice: Invoice): string {
  const { currency, customer } = invoice;
  const head = `  ${invoice.invoice_number}  ${customer.customer_id}  ${invoice.start_date} to ${invoice.end_date}  ${invoice.amount.toFixed(2)} ${currency.code}`;
  const lines = invoice.line_items.map(
    (line) =>
      `      ${line.name.padEnd(16)} ${(line.quantity?.toLocaleString('en-US') ?? '').padStart(14)} ${line.amount.toFixed(2).padStart(10)}`,
  );
  return [head, ...lines].join('\n');
}
