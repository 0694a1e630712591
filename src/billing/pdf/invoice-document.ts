import type { PersonalData, PostalAddress } from '../../customer/domain/personal-data.js';
import type { Instant } from '../../kernel/instant.js';
import { add, fromStored, isZeroMoney, sum, toDecimal, type Money } from '../../kernel/money.js';
import type { Settings } from '../../organization/domain/events.js';
import type { ComputedInvoice, InvoiceLine, LineAdjustment } from '../accounts/domain/event-data.js';

/** Content of the document: all texts are decided here, the rest is layout. */
export interface InvoiceDocument {
  readonly number: string;
  readonly issuedAt: Instant;
  readonly isVoided: boolean;
  readonly seller: readonly string[];
  readonly customer: readonly string[];
  readonly facts: readonly Fact[];
  readonly rows: readonly DocumentRow[];
  readonly totals: readonly Fact[];
}

export type Fact = readonly [label: string, value: string];

export interface DocumentRow {
  readonly name: string;
  /** Plan and filters; empty for lines without a plan. */
  readonly note: string;
  /** First and last day covered. */
  readonly period: Fact;
  /** Empty where the line has none. */
  readonly quantity: string;
  readonly base: string;
  readonly adjustments: string;
  readonly tax: string;
  readonly amount: string;
}

export interface DocumentSource {
  readonly invoice: ComputedInvoice;
  readonly number: string;
  readonly isVoided: boolean;
  /** Seller and customer at the revisions among the invoice's inputs. */
  readonly seller: Settings;
  /** Undefined once the customer was erased. */
  readonly customer: PersonalData | undefined;
}

/** The invoice as it was issued. What was paid since is not on it: the document is the claim, not its settlement. */
export function invoiceDocument(source: DocumentSource): InvoiceDocument {
  const { invoice, number, isVoided, seller, customer } = source;
  return {
    number,
    issuedAt: invoice.issuedAt,
    isVoided,
    seller: [seller.name, ...addressLines(seller.address), ...given(seller.phone, seller.email)],
    customer: customer
      ? [
          customer.name ?? customer.customerId,
          ...addressLines(customer.billingAddress),
          ...given(customer.email, customer.name === null ? null : `Customer ${customer.customerId}`),
        ]
      : ['Personal data erased'],
    facts: factsOf(invoice, isVoided),
    rows: invoice.lines.map(rowOf),
    totals: totalsOf(invoice),
  };
}

function factsOf({ lines, currency, costDue, issuedAt, dueAt }: ComputedInvoice, isVoided: boolean): Fact[] {
  const firsts = lines.map(({ localDates }) => localDates.first).sort();
  const lasts = lines.map(({ localDates }) => localDates.last).sort();
  const status = isZeroMoney(fromStored(costDue)) ? 'Paid' : 'Unpaid';
  return [
    ['Issue date', dateOf(issuedAt)],
    ['Due date', dueAt ? dateOf(dueAt) : '—'],
    ['Period', `${firsts[0]} – ${lasts.at(-1)}`],
    ['Currency', currency],
    ['Status at issue', isVoided ? `${status}, since voided` : status],
  ];
}

function rowOf(line: InvoiceLine): DocumentRow {
  const { plan, filters, localDates } = line;
  const version = plan && plan.version > 0 ? ` v${plan.version}` : '';
  const filtered = (filters ?? []).map(({ propertyName, value }) => `${propertyName} = ${value}`);
  return {
    name: line.name,
    note: [...(plan ? [plan.name + version] : []), ...filtered].join(' · '),
    period: [localDates.first, localDates.last],
    quantity: line.quantity ?? '',
    base: toDecimal(fromStored(line.base)),
    adjustments: decimalOrNone(adjusted(line, (type) => type !== 'sales_tax')),
    tax: decimalOrNone(adjusted(line, (type) => type === 'sales_tax')),
    amount: toDecimal(fromStored(line.amount)),
  };
}

/** Goods, tax by its rate, what credits gave or took, and what is to be paid. */
function totalsOf({ lines, currency, total, costDue }: ComputedInvoice): Fact[] {
  const credits = sumOf(currency, lines, (line) => adjusted(line, (type) => type === 'credit'));
  const goods = lines.filter(({ adjustments }) => adjustments.every(({ type }) => type !== 'credit'));
  const rates = [...new Set(lines.flatMap(({ explanation }) => explanation.taxRate ?? []))].sort();
  const taxes = rates.map((rate): Fact => {
    const taxed = lines.filter(({ explanation }) => explanation.taxRate === rate);
    const tax = sumOf(currency, taxed, (line) => adjusted(line, (type) => type === 'sales_tax'));
    return [`Tax ${rate} %`, toDecimal(tax)];
  });
  const subtotal = sumOf(currency, goods, (line) => fromStored(line.subtotal));
  return [
    ['Subtotal', toDecimal(subtotal)],
    ...taxes,
    ...(isZeroMoney(credits) ? [] : [['Credits', toDecimal(credits)] as const]),
    ['Total', `${toDecimal(fromStored(total))} ${currency}`],
    ['Amount due', `${toDecimal(fromStored(costDue))} ${currency}`],
  ];
}

const adjusted = (line: InvoiceLine, counts: (type: LineAdjustment['type']) => boolean): Money =>
  line.adjustments
    .filter(({ type }) => counts(type))
    .map(({ amount }) => fromStored(amount))
    .reduce(add, sum(line.base.currency, []));

const sumOf = (currency: string, lines: readonly InvoiceLine[], part: (line: InvoiceLine) => Money): Money =>
  sum(currency, lines.map(part));

const decimalOrNone = (amount: Money): string => (isZeroMoney(amount) ? '' : toDecimal(amount));

/** The day of an instant in UTC, as the number of the invoice has it. */
const dateOf = (at: Instant): string => at.slice(0, 10);

function addressLines(address: PostalAddress | null): string[] {
  if (!address) return [];
  const { line1, line2, postalCode, city, state, country } = address;
  return given(line1, line2, given(postalCode, city, state).join(' '), country);
}

const given = (...parts: readonly (string | null)[]): string[] =>
  parts.filter((part): part is string => part !== null && part.trim() !== '');
