import type { PersonalData, PostalAddress, TaxId } from '../../customer/domain/personal-data.js';
import type { Instant } from '../../kernel/instant.js';
import {
  fromStored,
  isNegativeMoney,
  isZeroMoney,
  sumMoney,
  toDecimal,
  type Money,
} from '../../kernel/money.js';
import { isZero, quantity } from '../../kernel/quantity.js';
import type { Settings } from '../../organization/domain/events.js';
import type { ComputedInvoice, InvoiceLine } from '../accounts/domain/event-data.js';
import { postalAddressLines } from './address.js';
import { adjusted, documentRows, isSold, type DocumentRow, type Prices } from './document-rows.js';
import { Wording } from './words.js';

/** Content of the document: all texts are decided here, the rest is layout. */
export interface InvoiceDocument {
  readonly title: string;
  readonly number: string;
  readonly issuedAt: Instant;
  readonly isVoided: boolean;
  readonly words: Wording;
  readonly logo: Buffer | undefined;
  readonly seller: readonly string[];
  readonly customer: readonly string[];
  readonly facts: readonly LabeledValue[];
  /** The amount to pay and until when, in one sentence. */
  readonly summary: string;
  /** True if a line has a rate of tax: the table has a column for it. */
  readonly hasTax: boolean;
  /** Rows of the table; they can be read once. */
  readonly rows: Iterable<DocumentRow>;
  readonly totals: readonly LabeledValue[];
  readonly payment: readonly string[];
  readonly footer: string;
}

export type LabeledValue = readonly [label: string, value: string];

export interface DocumentSource {
  readonly invoice: ComputedInvoice;
  readonly number: string;
  readonly isVoided: boolean;
  /** Seller and customer at the revisions among the invoice's inputs. */
  readonly seller: Settings;
  /** Undefined after the customer was erased. */
  readonly customer: PersonalData | undefined;
  readonly logo?: Buffer | undefined;
  readonly prices: Prices;
}

/** Makes the document of an invoice as it was issued. It is the claim, so it does not show later payments. */
export function invoiceDocument(source: DocumentSource): InvoiceDocument {
  const { invoice, number, isVoided, seller, customer } = source;
  const words = new Wording(customer?.invoiceLocale ?? seller.invoiceLocale ?? null, invoice.currency);
  const name = words.word(isNegativeMoney(soldTotal(invoice)) ? 'creditNote' : 'invoice');
  const [nameOfCustomer] = given(customer?.name ?? null);
  return {
    title: isVoided ? `${name} – ${words.word('void')}` : name,
    number,
    issuedAt: invoice.issuedAt,
    isVoided,
    words,
    logo: source.logo,
    seller: [
      seller.legalName ?? seller.name,
      ...addressLines(seller.address, words),
      ...given(seller.phone, seller.email),
      ...taxIdLines(seller.taxIds, words),
    ],
    customer: customer
      ? [
          nameOfCustomer ?? customer.customerId,
          ...addressLines(customer.billingAddress, words),
          ...given(
            customer.email,
            nameOfCustomer === undefined ? null : `${words.word('customer')} ${customer.customerId}`,
          ),
          ...taxIdLines(customer.taxIds, words),
        ]
      : [words.word('erased')],
    facts: factsOf(invoice, number, words),
    summary: summaryOf(invoice, words),
    hasTax: invoice.lines.some(({ explanation }) => explanation.taxRate !== undefined),
    rows: documentRows(invoice.lines, source.prices, words),
    totals: totalsOf(source, words),
    payment: paymentOf(seller, words),
    footer: seller.invoiceFooter ?? given(seller.legalName ?? seller.name, number).join(' · '),
  };
}

const taxIdLines = (taxIds: readonly TaxId[] | undefined, words: Wording): string[] =>
  (taxIds ?? []).map(({ type, value }) => `${words.word(type)} ${value}`);

/** Returns the sum of the sold lines with tax, negative on a credit note. */
const soldTotal = ({ lines, currency }: ComputedInvoice): Money =>
  sumOf(currency, lines.filter(isSold), ({ amount }) => fromStored(amount));

function factsOf(
  { lines, issuedAt, dueAt }: ComputedInvoice,
  number: string,
  words: Wording,
): LabeledValue[] {
  const firsts = lines.map(({ localDates }) => localDates.first).sort();
  const lasts = lines.map(({ localDates }) => localDates.last).sort();
  return [
    [words.word('number'), number],
    [words.word('issued'), words.day(dateOf(issuedAt))],
    [words.word('due'), dueAt ? words.day(dateOf(dueAt)) : '—'],
    [words.word('period'), words.days(firsts[0]!, lasts.at(-1)!)],
  ];
}

function summaryOf({ costDue, dueAt }: ComputedInvoice, words: Wording): string {
  const due = fromStored(costDue);
  if (isZeroMoney(due)) return words.word('nothingDue');
  const amount = words.money(toDecimal(due));
  return dueAt
    ? words.word('dueBy', { amount, date: words.day(dateOf(dueAt)) })
    : words.word('dueNow', { amount });
}

/** Returns the totals: subtotal, tax by rate, credits drawn or granted, and the amount to pay. */
function totalsOf({ invoice, customer }: DocumentSource, words: Wording): LabeledValue[] {
  const { lines, currency, costDue } = invoice;
  const sold = lines.filter(isSold);
  const rates = [...new Set(sold.flatMap(({ explanation }) => explanation.taxRate ?? []))].sort();
  const amount = (money: Money) => words.amount(toDecimal(money));
  const taxes = rates.map((rate): LabeledValue => {
    const taxed = sold.filter(({ explanation }) => explanation.taxRate === rate);
    const on = amount(sumOf(currency, taxed, ({ subtotal }) => fromStored(subtotal)));
    const tax = sumOf(currency, taxed, (line) => adjusted(line, 'sales_tax'));
    const isReversed = customer?.reverseCharge && isZero(quantity(rate));
    const label = isReversed
      ? words.word('reverseCharge', { amount: on })
      : words.word('taxOn', { rate: words.percent(rate), amount: on });
    return [label, amount(tax)];
  });
  const credits = lines.filter((line) => !isSold(line));
  return [
    [words.word('subtotal'), amount(sumOf(currency, sold, ({ subtotal }) => fromStored(subtotal)))],
    ...taxes,
    ...(credits.length === 0
      ? []
      : [[words.word('total'), words.money(toDecimal(soldTotal(invoice)))] as const]),
    ...credits.map((line): LabeledValue => [creditName(line, words), amount(fromStored(line.amount))]),
    [words.word('amountDue'), words.money(toDecimal(fromStored(costDue)))],
  ];
}

function creditName({ explanation, name }: InvoiceLine, words: Wording): string {
  switch (explanation.rule) {
    case 'credit_drawdown':
      return words.word('creditApplied');
    case 'credit_grant':
      return words.word('creditGranted');
    default:
      return words.word('appliedTo', { number: name.replace(/^Applied to /, '') });
  }
}

function paymentOf({ paymentTerms, paymentDetails }: Settings, words: Wording): string[] {
  const { accountHolder = null, iban = null, bic = null, text = null } = paymentDetails ?? {};
  return given(
    paymentTerms ?? null,
    accountHolder && `${words.word('accountHolder')}: ${accountHolder}`,
    iban && `IBAN: ${iban.replaceAll(/(.{4})(?=.)/g, '$1 ')}`,
    bic && `BIC: ${bic}`,
    text,
  );
}

const sumOf = (currency: string, lines: readonly InvoiceLine[], part: (line: InvoiceLine) => Money): Money =>
  sumMoney(currency, lines.map(part));

/** Returns the day of an instant in UTC, as in the number of the invoice. */
const dateOf = (at: Instant): string => at.slice(0, 10);

function addressLines(address: PostalAddress | null, words: Wording): string[] {
  if (!address) return [];
  return [...postalAddressLines(address), ...given(address.country && words.country(address.country))];
}

const given = (...parts: readonly (string | null)[]): string[] =>
  parts.filter((part): part is string => part !== null && part.trim() !== '');
