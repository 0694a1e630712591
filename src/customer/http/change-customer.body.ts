import { Type } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { IsFreeForm } from '../../platform/http/validation/free-form.js';
import { IsCurrencyCode, IsTimezone } from '../../platform/http/validation/known-values.js';
import { IsDecimalInRange, Nullable } from '../../platform/http/validation/validators.js';
import type { DetailsPatch } from '../domain/personal-data.js';
import { AddressBody, toPostalAddress } from './address.body.js';
import { PAYMENT_PROVIDERS } from './create-customer.body.js';

/** PATCH /api/customers/{customer_id}/: what is left out stays, null clears. The customer_id cannot change. */
export class ChangeCustomerBody {
  @Nullable() @IsString() @MaxLength(200) customer_name?: string | null;
  @Nullable() @IsNotEmpty() @IsEmail() @MaxLength(254) email?: string | null;
  @Nullable() @IsObject() @ValidateNested() @Type(() => AddressBody) address?: AddressBody | null;
  @Nullable() @IsObject() @ValidateNested() @Type(() => AddressBody) billing_address?: AddressBody | null;
  @Nullable() @IsObject() @ValidateNested() @Type(() => AddressBody) shipping_address?: AddressBody | null;
  @Nullable() @IsCurrencyCode() default_currency_code?: string | null;
  @Nullable() @IsDecimalInRange('0', '999.9999') tax_rate?: string | null;
  @Nullable() @IsTimezone() timezone?: string | null;
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
    properties: body.properties,
    currency: body.default_currency_code,
    taxRate: body.tax_rate,
    timezone: body.timezone,
    paymentProvider: body.payment_provider,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
