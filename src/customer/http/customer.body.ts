import { IsEmail, IsIn, IsNotEmpty, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import {
  canonicalLocale,
  IsCurrencyCode,
  IsDecimalInRange,
  IsFlag,
  IsFreeForm,
  IsLocale,
  IsTimezone,
  Nullable,
  IsListOf,
  IsNested,
} from '../../platform/http/validation/validators.js';
import { type CustomerDetails, type DetailsPatch, PAYMENT_PROVIDERS } from '../domain/personal-data.js';
import { AddressBody, toPostalAddress } from '../address.body.js';
import { TaxIdBody, toTaxIds } from '../tax-id.body.js';

/** Body of `POST /api/customers/` (docs/contract.md#customers). */
export class CreateCustomerBody {
  /** The caller's own id of the customer. */
  @IsString() @Length(1, 200) customer_id!: string;
  @IsOptional() @IsString() @MaxLength(200) customer_name?: string;
  @IsOptional() @IsNotEmpty() @IsEmail() @MaxLength(254) email?: string;
  /** Used as billing_address if that is omitted. */
  @IsOptional() @IsNested(() => AddressBody) address?: AddressBody;
  @IsOptional() @IsNested(() => AddressBody) billing_address?: AddressBody;
  @IsOptional() @IsNested(() => AddressBody) shipping_address?: AddressBody;
  @IsOptional() @IsCurrencyCode() default_currency_code?: string;
  /** Percent. */
  @IsOptional() @IsDecimalInRange('0', '999.9999') tax_rate?: string;
  @IsOptional() @IsTimezone() timezone?: string;
  @IsOptional() @IsLocale() invoice_locale?: string;
  @IsOptional()
  @IsListOf(() => TaxIdBody, 5)
  tax_ids?: TaxIdBody[];
  @IsOptional() @IsFlag() reverse_charge?: boolean;
  @IsOptional() @IsIn(PAYMENT_PROVIDERS) payment_provider?: string;
  @IsOptional() @IsString() @MaxLength(200) payment_provider_id?: string;
  @IsOptional() @IsFreeForm() properties?: Record<string, unknown>;
}

export function toDetails(body: CreateCustomerBody): CustomerDetails {
  const billing = body.billing_address ?? body.address;
  return {
    personal: {
      customerId: body.customer_id,
      name: body.customer_name ?? null,
      email: body.email ?? null,
      billingAddress: billing ? toPostalAddress(billing) : null,
      shippingAddress: body.shipping_address ? toPostalAddress(body.shipping_address) : null,
      paymentProviderId: body.payment_provider_id ?? null,
      invoiceLocale: body.invoice_locale ? canonicalLocale(body.invoice_locale) : null,
      ...(body.tax_ids && { taxIds: toTaxIds(body.tax_ids) }),
      ...(body.reverse_charge && { reverseCharge: true }),
      properties: body.properties ?? {},
    },
    open: {
      currency: body.default_currency_code ?? null,
      taxRate: body.tax_rate ?? null,
      timezone: body.timezone ?? null,
      paymentProvider: body.payment_provider ?? null,
    },
  };
}

/** Body of `PATCH /api/customers/{customer_id}/`. Omitted fields stay; null clears. The customer_id cannot change. */
export class ChangeCustomerBody {
  @Nullable() @IsString() @MaxLength(200) customer_name?: string | null;
  @Nullable() @IsNotEmpty() @IsEmail() @MaxLength(254) email?: string | null;
  @Nullable() @IsNested(() => AddressBody) address?: AddressBody | null;
  @Nullable() @IsNested(() => AddressBody) billing_address?: AddressBody | null;
  @Nullable() @IsNested(() => AddressBody) shipping_address?: AddressBody | null;
  @Nullable() @IsCurrencyCode() default_currency_code?: string | null;
  @Nullable() @IsDecimalInRange('0', '999.9999') tax_rate?: string | null;
  @Nullable() @IsTimezone() timezone?: string | null;
  @Nullable() @IsLocale() invoice_locale?: string | null;
  @IsOptional()
  @IsListOf(() => TaxIdBody, 5)
  tax_ids?: TaxIdBody[];
  @Nullable() @IsFlag() reverse_charge?: boolean | null;
  @Nullable() @IsIn(PAYMENT_PROVIDERS) payment_provider?: string | null;
  @Nullable() @IsString() @MaxLength(200) payment_provider_id?: string | null;
  @IsOptional() @IsFreeForm() properties?: Record<string, unknown>;
}

export function toPatch(body: ChangeCustomerBody): DetailsPatch {
  const billing = body.billing_address === undefined ? body.address : body.billing_address;
  const fields = {
    name: body.customer_name,
    email: body.email,
    billingAddress: billing && toPostalAddress(billing),
    shippingAddress: body.shipping_address && toPostalAddress(body.shipping_address),
    paymentProviderId: body.payment_provider_id,
    invoiceLocale: body.invoice_locale && canonicalLocale(body.invoice_locale),
    taxIds: body.tax_ids && toTaxIds(body.tax_ids),
    reverseCharge: body.reverse_charge === null ? false : body.reverse_charge,
    properties: body.properties,
    currency: body.default_currency_code,
    taxRate: body.tax_rate,
    timezone: body.timezone,
    paymentProvider: body.payment_provider,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
