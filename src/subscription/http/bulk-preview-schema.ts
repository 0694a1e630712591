import {
  either,
  integer,
  listOf,
  named,
  noted,
  object,
  reference,
  type Schema,
  type WireOf,
} from '../../platform/http/openapi/schema.js';
import { SUBSCRIPTION } from './subscription-resource.js';

/** Subscriptions of a preview that are shown, and lines of each of its invoices. */
export const SAMPLE = 20;
const MAX_LINES = 200;

/** Answer of the dry run of a change by filter (docs/contract.md#previews). */
const BULK_PREVIEW = named(
  'BulkPreview',
  object({
    subscriptions: integer({ minimum: 0, description: 'How many subscriptions would change.' }),
    sample: noted(
      listOf(
        named(
          'PreviewedSubscription',
          object({
            now: noted(SUBSCRIPTION, { description: 'As it is.' }),
            then: noted(SUBSCRIPTION, {
              description:
                'As the change would leave it; of a switch the new subscription, whose id is not its own yet.',
            }),
          }),
        ),
        { maxItems: SAMPLE },
      ),
      { description: `The first ${SAMPLE} of them.` },
    ),
    invoices: noted(
      listOf(
        named(
          'PreviewedInvoice',
          object({
            lines: integer({ minimum: 0, description: 'How many lines it has.' }),
            invoice: noted(reference<object>('Invoice'), {
              description: `The invoice of all of them as a draft: its amount is the whole, its lines are the first ${MAX_LINES}.`,
            }),
          }),
        ),
      ),
      { description: 'The invoices that the change would lead to, one per currency.' },
    ),
  }),
);

export type BulkPreviewResource = WireOf<typeof BULK_PREVIEW>;

/** Answer of a change by filter, or with `?preview=true` of its dry run. */
export const changesOrPreview = <Changed>(changed: Schema<Changed>) => either(changed, BULK_PREVIEW);

/** An invoice with its first lines, and how many there are. */
export function presentPreviewedInvoice(invoice: object): BulkPreviewResource['invoices'][number] {
  const { line_items: lines } = invoice as { readonly line_items: readonly object[] };
  return { lines: lines.length, invoice: { ...invoice, line_items: lines.slice(0, MAX_LINES) } };
}
