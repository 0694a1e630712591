import { presentAddress, type AddressedCustomer } from '../../../customer/customer-directory.js';
import { toWireId } from '../../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../../kernel/instant.js';
import { currencyUnit } from '../../../kernel/money.js';
import type { Settings } from '../../../organization/domain/events.js';
import type { WireOf } from '../../../platform/http/openapi/schema.js';
import type { InvoiceLineView, InvoiceView } from '../invoice-view.js';
import type { INVOICE, LINE_ITEM, SELLER } from './invoice-schema.js';
import type { INVOICE_SUMMARY } from '../../../customer/customer-schema.js';
import type { InvoiceRow } from '../../read-models/invoices.js';

type SellerResource = WireOf<typeof SELLER>;
export type InvoiceResource = WireOf<typeof INVOICE>;
type LineItemResource = WireOf<typeof LINE_ITEM>;

export function toInvoiceResource(
  { invoice, lines }: InvoiceView,
  customer: AddressedCustomer,
  seller: SellerResource,
  invoicePdf: string | null,
): InvoiceResource {
  return {
    ...toInvoiceSummary(invoice),
    line_items: lines.map(toLineItem),
    customer,
    seller,
    invoice_pdf: invoicePdf,
  };
}

export const toInvoiceSummary = (invoice: InvoiceRow): WireOf<typeof INVOICE_SUMMARY> => ({
  invoice_id: toWireId('invoice', invoice.invoice_id),
  invoice_number: invoice.invoice_number,
  cost_due: Number(invoice.cost_due),
  amount: Number(invoice.amount),
  currency: currencyUnit(invoice.currency),
  issue_date: formatInstant(invoice.issued_at),
  due_date: invoice.due_at && formatInstant(invoice.due_at),
  start_date: invoice.start_date,
  end_date: invoice.end_date,
  payment_status: invoice.payment_status,
  external_payment_obj_id: invoice.external_payment_obj_id,
  external_payment_obj_type: invoice.external_payment_obj_type,
  external_payment_obj_status: invoice.external_payment_obj_status,
});

export const toSeller = ({ name, legalName, address, phone, email }: Settings): SellerResource => ({
  name: legalName ?? name,
  address: presentAddress(address),
  phone,
  email,
});

const toLineItem = (line: InvoiceLineView): LineItemResource => ({
  name: line.name,
  start_date: formatInstant(line.start_at),
  end_date: formatInstant(line.scheduled_end ? plusMicros(line.end_at, -1n) : line.end_at),
  quantity: line.quantity === null ? null : Number(line.quantity),
  billing_type: line.billing_type,
  metadata: notesOf(line),
  plan:
    line.plan_id === null
      ? null
      : {
          plan_name: line.plan_name!,
          plan_id: toWireId('plan', line.plan_id),
          version_id: toWireId('plan_version', line.plan_version_id!),
          version: line.plan_version!,
        },
  subscription_filters:
    line.subscription_filters?.map(({ propertyName, value }) => ({ property_name: propertyName, value })) ??
    null,
  base: Number(line.base),
  adjustments: line.adjustments.map(({ amount, account, type }) => ({
    amount,
    account,
    adjustment_type: type,
  })),
  amount: Number(line.amount),
  subtotal: Number(line.subtotal),
});

/**
 * Returns the metadata of a line: the add-on that it charges; how many usage values were no numbers; and that a
 * negative quantity was rated as 0 (docs/billing.md#event-values).
 */
const notesOf = (line: InvoiceLineView) => ({
  ...(line.addon_id === null
    ? {}
    : {
        addon_id: toWireId('addon', line.addon_id),
        addon_name: line.addon_name!,
        addon_subscription_id: toWireId('addon_sub', line.addon_subscription_id!),
      }),
  ...countNotes(line),
});

const countNotes = ({ absent_values: absent, counted_quantity: counted }: InvoiceLineView) => ({
  ...(absent !== null && absent !== '0' ? { absent_values: Number(absent) } : {}),
  ...(counted?.startsWith('-') ? { rated_quantity: 0 } : {}),
});
