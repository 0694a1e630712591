import { listOf, named, object, reference } from '../platform/http/openapi/schema.js';

/** Answer of a dry run: the invoices that the operation would make, each shown as a draft. */
export const INVOICE_PREVIEW = named(
  'InvoicePreview',
  object({ invoices: listOf(reference<object>('Invoice')) }),
);
