import { canonicalJson } from '../../kernel/canonical-json.js';
import { invalidFields, type FieldError } from '../../kernel/errors.js';
import { isZero, quantity } from '../../kernel/quantity.js';
import type { CustomerProfile } from './events.js';

/** Postal address; unknown parts are null. */
export interface PostalAddress {
  readonly city: string | null;
  /** Two capital letters. */
  readonly country: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postalCode: string | null;
  readonly state: string | null;
}

export const TAX_ID_TYPES = ['vat', 'tax_number', 'company_number'] as const;

export const PAYMENT_PROVIDERS = ['provider_a', 'provider_b'];

/** Tax or company number, as invoices name it. */
export interface TaxId {
  readonly type: (typeof TAX_ID_TYPES)[number];
  readonly value: string;
}

/** Everything that identifies a person; it is stored sealed only. */
export interface PersonalData {
  /** The caller's own id of the customer. */
  readonly customerId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly billingAddress: PostalAddress | null;
  readonly shippingAddress: PostalAddress | null;
  readonly paymentProviderId: string | null;
  /** BCP 47 tag of the customer's invoices; absent in profiles of earlier releases. */
  readonly invoiceLocale?: string | null;
  /** Absent in profiles of earlier releases. */
  readonly taxIds?: readonly TaxId[];
  /** True if the customer owes the tax where its rate is 0; absent in profiles of earlier releases. */
  readonly reverseCharge?: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Fields that amounts depend on, which are not sealed. The country is that of the billing address. */
export type UnsealedDetails = Omit<CustomerProfile, 'sealed' | 'country'>;

export interface CustomerDetails {
  readonly personal: PersonalData;
  readonly open: UnsealedDetails;
}

/** Fields of a change; omitted fields stay, null clears. */
export type DetailsPatch = Partial<Omit<PersonalData, 'customerId'> & UnsealedDetails>;

export function applyPatch({ personal, open }: CustomerDetails, patch: DetailsPatch): CustomerDetails {
  const { currency, taxRate, timezone, paymentProvider, ...ofPerson } = patch;
  const ofMoney = { currency, taxRate, timezone, paymentProvider };
  return { personal: { ...personal, ...given(ofPerson) }, open: { ...open, ...given(ofMoney) } };
}

/** Reverse charge is a rate of 0 with the VAT number of who owes the tax. @throws DomainError that names what is missing */
export function requireReverseCharge({ personal, open: { taxRate } }: CustomerDetails): void {
  if (!personal.reverseCharge) return;
  const faults: FieldError[] = [];
  if (taxRate === null || !isZero(quantity(taxRate)))
    faults.push({
      code: 'invalid',
      attr: 'tax_rate',
      detail: 'A customer with reverse charge has a tax rate of 0. Send tax_rate 0, or reverse_charge false.',
    });
  if (!personal.taxIds?.some(({ type }) => type === 'vat'))
    faults.push({
      code: 'required',
      attr: 'tax_ids',
      detail: 'A customer with reverse charge has a VAT number. Send one of the type vat in tax_ids.',
    });
  const [first, ...rest] = faults;
  if (first) throw invalidFields(first, ...rest);
}

export const isSamePersonalData = (a: PersonalData, b: PersonalData): boolean =>
  canonicalJson(a) === canonicalJson(b);

/** Normalizes an e-mail address; addresses that differ only in case or surrounding blanks are equal. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

const given = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
