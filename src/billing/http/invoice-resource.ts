import type { InvoiceRow } from '../../../projections/invoices/schema.js';
import { addressOf, type Address, type AddressedCustomer } from '../../customer/customer-directory.js';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../kernel/instant.js';
import { currencyUnit, type CurrencyUnit } from '../../kernel/money.js';
import type { Settings } from '../../organization/domain/events.js';
import type { InvoiceLineView, InvoiceView } from '../queries/invoice-view.js';

/** Seller of api.md 2.11. */
export interface SellerResource {
  readonly name: string;
  readonly address: Address | null;
  readonly phone: string | null;
  readonly email: string | null;
}

/** Invoice of api.md 2.11, nullable where api-completed.md section 2 says so. */
export interface InvoiceResource {
  readonly invoice_id: string;
  /** Null on a draft, which takes none. */
  readonly invoice_number: string | null;
  readonly cost_due: number;
  readonly amount: number;
  readonly currency: CurrencyUnit;
  readonly issue_date: string;
  readonly due_date: string | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly payment_status: InvoiceRow['payment_status'];
  readonly external_payment_obj_id: string | null;
  readonly external_payment_obj_type: string | null;
  readonly external_payment_obj_status: string | null;
  readonly line_items: readonly LineItemResource[];
  readonly customer: AddressedCustomer;
  readonly seller: SellerResource;
  /** Works without a key for a day; null on a draft, which has no document. */
  readonly invoice_pdf: string | null;
}

/** InvoiceLineItem of api.md 2.11. */
interface LineItemResource {
  readonly name: string;
  readonly start_date: string;
  /** A boundary is shown as the last microsecond before it, an end that was set as that instant. */
  readonly end_date: string;
  readonly quantity: number | null;
  readonly billing_type: InvoiceLineView['billing_type'];
  readonly metadata: Readonly<Record<string, number | string>>;
  readonly plan: {
    readonly plan_name: string;
    readonly plan_id: string;
    readonly version_id: string;
    readonly version: number;
  } | null;
  readonly subscription_filters: readonly { readonly property_name: string; readonly value: string }[] | null;
  readonly base: number;
  readonly adjustments: readonly {
    readonly amount: string;
    readonly account: string;
    readonly adjustment_type: string;
  }[];
  readonly amount: number;
  readonly subtotal: number;
}

export function toInvoiceResource(
  { invoice, lines }: InvoiceView,
  customer: AddressedCustomer,
  seller: SellerResource,
  invoicePdf: string | null,
): InvoiceResource {
  return {
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
    line_items: lines.map(toLineItem),
    customer,
    seller,
    invoice_pdf: invoicePdf,
  };
}

export const toSeller = ({ name, address, phone, email }: Settings): SellerResource => ({
  name,
  address: addressOf(address),
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
 * Whose price it is, where it is not the plan's; and what billing.md section 5 wants noted: values that were no numbers,
 * and a negative total that was rated as 0.
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
