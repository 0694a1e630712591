import type { Customer, Invoice } from '../../../clients/typescript/src/index.js';
import { NotFoundError } from '../../../clients/typescript/src/errors.js';
import { recount } from '../api/client.js';

export interface Found {
  readonly customers: readonly Customer[];
  readonly invoices: readonly Invoice[];
}

/** Looks for customers whose id or e-mail address is the text, and for invoices with this number. */
export async function findByText(text: string, signal: AbortSignal): Promise<Found> {
  const [byId, byEmail, invoices] = await Promise.all([
    recount.getCustomer(text, { signal }).then((one) => [one], ifNotFound<Customer>()),
    text.includes('@') ? recount.listCustomers({ email: text }, { signal }).all() : [],
    recount.listInvoices({ invoice_number: text, limit: 5 }, { signal }).all(),
  ]);
  return { customers: [...byId, ...byEmail], invoices };
}

const ifNotFound =
  <Item>() =>
  (error: unknown): Item[] => {
    if (error instanceof NotFoundError) return [];
    throw error;
  };
