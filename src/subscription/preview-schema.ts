import { listOf, named, object, reference } from '../platform/http/openapi/schema.js';
import type { QueryParams } from '../platform/http/query/query-params.js';

/** Answer of a dry run: the invoices that the operation would make, each shown as a draft. */
export const INVOICE_PREVIEW = named(
  'InvoicePreview',
  object({ invoices: listOf(reference<object>('Invoice')) }),
);

/** Asked of an act: nothing is stored, and the answer is what it would bring. */
export const PREVIEW = { preview: (q: QueryParams) => q.flag('preview', false) };
