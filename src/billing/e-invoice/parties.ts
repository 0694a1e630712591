import type { PersonalData, PostalAddress, TaxId } from '../../customer/domain/personal-data.js';
import { DomainError } from '../../kernel/errors.js';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import type { Settings } from '../../organization/domain/events.js';
import type { TaxGroup } from './amounts.js';

/** A customer as a document names it. */
export interface Buyer {
  /** Undefined after the customer was erased. */
  readonly person: PersonalData | undefined;
  /** Stands for the name of an erased customer. */
  readonly erasedName: string;
  /** Country of the billing address, which an erasure leaves. */
  readonly country: string | null;
}

/** A VAT number begins with its country (BR-CO-09). */
const VAT_NUMBER = /^[A-Z]{2}\w/;

/** Elements of the XML: what is undefined is left out. */
export type Element = Readonly<Record<string, unknown>>;

/** Trimmed text; undefined where there is none, as EN 16931 has no empty elements. */
export const trimmed = (text: string | null | undefined): string | undefined =>
  text?.trim() ? text.trim() : undefined;

/** @throws DomainError `invalid_state` that names each setting to fill */
export function requireParties(
  number: string,
  seller: Settings,
  buyer: Buyer,
  taxes: readonly TaxGroup[],
): void {
  if (!buyer.person && taxes.some(({ category }) => category.code === 'E')) {
    throw new DomainError(
      'invalid_state',
      `The e-invoice of ${number} has to say why a tax rate is 0, which was erased with the customer. Use its PDF.`,
    );
  }
  const isTaxed = taxes.some(({ category }) => category.code !== 'O');
  const vat = taxId(seller.taxIds, 'vat');
  const vatOfBuyer = taxId(buyer.person?.taxIds, 'vat');
  const missing = [
    trimmed(seller.address?.country) ? [] : 'your country: `address` of `PATCH /api/organization/`',
    isTaxed && !vat && !taxId(seller.taxIds, 'tax_number')
      ? 'your VAT or tax number: `tax_ids` of `PATCH /api/organization/`'
      : [],
    isTaxed && vat && !VAT_NUMBER.test(vat)
      ? 'the country before your VAT number, such as DE123456789: `tax_ids` of `PATCH /api/organization/`'
      : [],
    isTaxed && vatOfBuyer && !VAT_NUMBER.test(vatOfBuyer)
      ? 'the country before the VAT number of the customer: `tax_ids` of `PATCH /api/customers/{customer_id}/`'
      : [],
    countryOf(buyer) ? [] : 'the country of the customer: `address` of `PATCH /api/customers/{customer_id}/`',
  ].flat();
  if (missing.length === 0) return;
  throw new DomainError(
    'invalid_state',
    `The e-invoice of ${number} lacks ${missing.join('; ')}. An invoice shows what was set when it was computed: set it for later invoices; this one can be voided and billed again while it is unpaid.`,
  );
}

/** @param isOutsideOfVat then the VAT number must be absent (BR-O-02) */
export function sellerParty(org: Uuid, seller: Settings, isOutsideOfVat: boolean): Element {
  const vat = isOutsideOfVat ? undefined : taxId(seller.taxIds, 'vat');
  const taxNumber = taxId(seller.taxIds, 'tax_number');
  const company = taxId(seller.taxIds, 'company_number');
  const [phone, email] = [trimmed(seller.phone), trimmed(seller.email)];
  return {
    // One identifier is mandatory (BR-CO-26), and not every seller has a VAT or company number.
    'ram:ID': toWireId('org', org),
    'ram:Name': trimmed(seller.legalName) ?? seller.name,
    'ram:SpecifiedLegalOrganization': company && { 'ram:ID': company },
    'ram:DefinedTradeContact':
      phone || email
        ? {
            'ram:TelephoneUniversalCommunication': phone && { 'ram:CompleteNumber': phone },
            'ram:EmailURIUniversalCommunication': email && { 'ram:URIID': email },
          }
        : undefined,
    'ram:PostalTradeAddress': postalAddress(seller.address),
    'ram:URIUniversalCommunication': electronicAddress(email),
    'ram:SpecifiedTaxRegistration': [
      ...(vat ? [{ 'ram:ID': { '@schemeID': 'VA', '#': vat } }] : []),
      ...(taxNumber ? [{ 'ram:ID': { '@schemeID': 'FC', '#': taxNumber } }] : []),
    ],
  };
}

/** @param isOutsideOfVat then the VAT number must be absent (BR-O-02) */
export function buyerParty(buyer: Buyer, isOutsideOfVat: boolean): Element {
  const { person, erasedName } = buyer;
  if (!person)
    return { 'ram:Name': erasedName, 'ram:PostalTradeAddress': { 'ram:CountryID': buyer.country } };
  const vat = isOutsideOfVat ? undefined : taxId(person.taxIds, 'vat');
  const company = taxId(person.taxIds, 'company_number');
  return {
    'ram:ID': trimmed(person.customerId),
    'ram:Name': trimmed(person.name) ?? person.customerId,
    'ram:SpecifiedLegalOrganization': company && { 'ram:ID': company },
    'ram:PostalTradeAddress': postalAddress(person.billingAddress),
    'ram:URIUniversalCommunication': electronicAddress(trimmed(person.email)),
    'ram:SpecifiedTaxRegistration': vat && { 'ram:ID': { '@schemeID': 'VA', '#': vat } },
  };
}

const countryOf = ({ person, country }: Buyer): string | undefined =>
  trimmed(person ? person.billingAddress?.country : country);

/** The first number of this kind; a VAT number without blanks and in capitals. */
function taxId(taxIds: readonly TaxId[] | undefined, kind: TaxId['type']): string | undefined {
  const value = trimmed(taxIds?.find(({ type }) => type === kind)?.value);
  return kind === 'vat' ? value?.replaceAll(/[\s.-]/g, '').toUpperCase() : value;
}

const electronicAddress = (email: string | undefined): Element | undefined =>
  email === undefined ? undefined : { 'ram:URIID': { '@schemeID': 'EM', '#': email } };

const postalAddress = (address: PostalAddress | null): Element => ({
  'ram:PostcodeCode': trimmed(address?.postalCode),
  'ram:LineOne': trimmed(address?.line1),
  'ram:LineTwo': trimmed(address?.line2),
  'ram:CityName': trimmed(address?.city),
  'ram:CountryID': trimmed(address?.country),
  'ram:CountrySubDivisionName': trimmed(address?.state),
});
