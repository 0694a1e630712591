import { create } from 'xmlbuilder2';
import type { Uuid } from '../../kernel/ids.js';
import { fromStored, toDecimal } from '../../kernel/money.js';
import type { Settings } from '../../organization/domain/events.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import { isSold, planOf } from '../pdf/document-rows.js';
import { eInvoiceAmounts, type EInvoiceAmounts, type EInvoiceLine, type TaxCategory } from './amounts.js';
import { buyerParty, trimmed, requireParties, sellerParty, type Buyer, type Element } from './parties.js';

export interface EInvoiceSource {
  readonly org: Uuid;
  readonly number: string;
  readonly invoice: ComputedInvoice;
  /** Seller and customer at the revisions among the invoice's inputs. */
  readonly seller: Settings;
  readonly buyer: Buyer;
}

const NAMESPACES = {
  '@xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  '@xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  '@xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
};
const PROFILE = 'urn:cen.eu:en16931:2017';
/** Codes of UNTDID 1001. */
const INVOICE = '380';
const CREDIT_NOTE = '381';
/** "One" of UN/ECE Recommendation 20: metrics have names and no units. */
const UNIT = 'C62';
/** Code of UNTDID 5189. */
const DISCOUNT = '95';
const NO_TAX = { E: 'Exempt from VAT', AE: 'Reverse charge', O: 'Not subject to VAT' } as const;
const NO_TAX_CODE = { E: undefined, AE: 'VATEX-EU-AE', O: 'VATEX-EU-O' } as const;

/**
 * Writes an invoice as a UN/CEFACT Cross Industry Invoice of the profile EN 16931 (docs/contract.md#e-invoice). Elements
 * stand in the order of the schema. @throws DomainError `invalid_state` where EN 16931 wants what the invoice lacks
 */
export function crossIndustryInvoice(source: EInvoiceSource): string {
  const { org, number, invoice, seller, buyer } = source;
  const amounts = eInvoiceAmounts(invoice, buyer.person?.reverseCharge === true);
  requireParties(number, seller, buyer, amounts.taxes);
  const isOutsideOfVat = amounts.taxes.some(({ category }) => category.code === 'O');
  const document = {
    'rsm:CrossIndustryInvoice': {
      ...NAMESPACES,
      'rsm:ExchangedDocumentContext': {
        'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': PROFILE },
      },
      'rsm:ExchangedDocument': {
        'ram:ID': number,
        'ram:TypeCode': amounts.isCreditNote ? CREDIT_NOTE : INVOICE,
        'ram:IssueDateTime': date(invoice.issuedAt),
        'ram:IncludedNote': notesOf(source).map((note) => ({ 'ram:Content': note })),
      },
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': amounts.lines.map(lineItem),
        'ram:ApplicableHeaderTradeAgreement': {
          'ram:SellerTradeParty': sellerParty(org, seller, isOutsideOfVat),
          'ram:BuyerTradeParty': buyerParty(buyer, isOutsideOfVat),
        },
        'ram:ApplicableHeaderTradeDelivery': {},
        'ram:ApplicableHeaderTradeSettlement': settlement(source, amounts),
      },
    },
  };
  return create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '' }, document).end({
    prettyPrint: true,
  });
}

/** Lines that settle the invoice, which the sums have as one paid amount, and the footer. */
function notesOf({ invoice: { lines, currency }, seller }: EInvoiceSource): string[] {
  const settling = lines.filter((line) => !isSold(line));
  const footer = trimmed(seller.invoiceFooter);
  return [
    ...settling.map(({ name, amount }) => `${name}: ${toDecimal(fromStored(amount))} ${currency}`),
    ...(footer === undefined ? [] : [footer]),
  ];
}

function lineItem(item: EInvoiceLine, index: number): Element {
  const { line, billedQuantity, price, baseQuantity, adjustment, net, category } = item;
  const { first, last } = line.localDates;
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': String(index + 1) },
    'ram:SpecifiedTradeProduct': {
      'ram:Name': line.name,
      'ram:Description': trimmed(planOf(line)),
    },
    'ram:SpecifiedLineTradeAgreement': {
      'ram:NetPriceProductTradePrice': {
        'ram:ChargeAmount': price,
        'ram:BasisQuantity': { '@unitCode': UNIT, '#': baseQuantity },
      },
    },
    'ram:SpecifiedLineTradeDelivery': {
      'ram:BilledQuantity': { '@unitCode': UNIT, '#': billedQuantity },
    },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': tax(category),
      'ram:BillingSpecifiedPeriod': period(first, last),
      'ram:SpecifiedTradeAllowanceCharge': adjustment && {
        'ram:ChargeIndicator': { 'udt:Indicator': String(adjustment.isCharge) },
        'ram:ActualAmount': adjustment.amount,
        'ram:ReasonCode': adjustment.isCharge ? undefined : DISCOUNT,
        'ram:Reason': adjustment.isCharge ? 'Price adjustment' : 'Discount',
      },
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': net },
    },
  };
}

function settlement(source: EInvoiceSource, amounts: EInvoiceAmounts): Element {
  const { currency, lines } = source.invoice;
  const firsts = lines.map(({ localDates }) => localDates.first).sort();
  const lasts = lines.map(({ localDates }) => localDates.last).sort();
  return {
    'ram:PaymentReference': amounts.isDue ? source.number : undefined,
    'ram:InvoiceCurrencyCode': currency,
    'ram:SpecifiedTradeSettlementPaymentMeans': amounts.isDue ? paymentMeans(source) : undefined,
    'ram:ApplicableTradeTax': amounts.taxes.map(({ category, base, tax: amount }) =>
      tax(category, { base, amount }),
    ),
    'ram:BillingSpecifiedPeriod': period(firsts[0]!, lasts.at(-1)!),
    'ram:SpecifiedTradePaymentTerms': amounts.isDue ? paymentTerms(source) : undefined,
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      'ram:LineTotalAmount': amounts.net,
      'ram:TaxBasisTotalAmount': amounts.net,
      'ram:TaxTotalAmount': { '@currencyID': currency, '#': amounts.tax },
      'ram:GrandTotalAmount': amounts.gross,
      'ram:TotalPrepaidAmount': amounts.settled,
      'ram:DuePayableAmount': amounts.due,
    },
    // The invoices that a credit note was taken off.
    'ram:InvoiceReferencedDocument': lines
      .filter(({ explanation }) => explanation.rule === 'invoice_reduction')
      .map(({ name }) => ({ 'ram:IssuerAssignedID': name.replace(/^Applied to /, '') })),
  };
}

const tax = (
  { code, rate }: TaxCategory,
  group?: { readonly base: string; readonly amount: string },
): Element => ({
  'ram:CalculatedAmount': group?.amount,
  'ram:TypeCode': 'VAT',
  'ram:ExemptionReason': group && code !== 'S' ? NO_TAX[code] : undefined,
  'ram:BasisAmount': group?.base,
  'ram:CategoryCode': code,
  'ram:ExemptionReasonCode': group && code !== 'S' ? NO_TAX_CODE[code] : undefined,
  'ram:RateApplicablePercent': rate,
});

/** Codes of UNTDID 4461: a SEPA transfer, another transfer, and means that are told in words alone. */
function paymentMeans({ invoice, seller: { paymentDetails } }: EInvoiceSource): Element | undefined {
  const { accountHolder = null, iban = null, bic = null, text = null } = paymentDetails ?? {};
  const information = trimmed(text);
  if (iban === null) {
    return information === undefined ? undefined : { 'ram:TypeCode': '1', 'ram:Information': information };
  }
  return {
    'ram:TypeCode': invoice.currency === 'EUR' ? '58' : '30',
    'ram:Information': information,
    'ram:PayeePartyCreditorFinancialAccount': {
      'ram:IBANID': iban,
      'ram:AccountName': trimmed(accountHolder),
    },
    'ram:PayeeSpecifiedCreditorFinancialInstitution': bic === null ? undefined : { 'ram:BICID': bic },
  };
}

/** An amount to pay has a due date or terms (BR-CO-25). */
function paymentTerms({ invoice: { dueAt }, seller }: EInvoiceSource): Element {
  const terms = trimmed(seller.paymentTerms);
  return {
    'ram:Description': terms ?? (dueAt ? undefined : 'Due on receipt'),
    'ram:DueDateDateTime': dueAt ? date(dueAt) : undefined,
  };
}

const period = (first: string, last: string): Element => ({
  'ram:StartDateTime': date(first),
  'ram:EndDateTime': date(last),
});

/** The day of a date or an instant in UTC. */
const date = (at: string): Element => ({
  'udt:DateTimeString': { '@format': '102', '#': at.slice(0, 10).replaceAll('-', '') },
});
