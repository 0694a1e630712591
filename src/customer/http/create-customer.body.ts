import { Type } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { IsFreeForm } from '../../platform/http/validation/free-form.js';
import { IsCurrencyCode, IsTimezone } from '../../platform/http/validation/known-values.js';
import { IsDecimalInRange } from '../../platform/http/validation/validators.js';
import type { CustomerDetails } from '../domain/personal-data.js';
import { AddressBody, toPostalAddress } from './address.body.js';

export const PAYMENT_PROVIDERS = ['provider_a', 'provider_b'];

/** Body of `POST /api/customers/` (docs/contract.md#customers). */
export class CreateCustomerBody {
  /** The caller's own id of the customer. */
  @IsString() @Length(1, 200) customer_id!: string;
  @IsOptional() @IsString() @MaxLength(200) customer_name?: string;
  @IsOptional() @IsNotEmpty() @IsEmail() @MaxLength(254) email?: string;
  /** Stands for billing_address where that is not given. */
  @IsOptional() @IsObject() @ValidateNested() @Type(() => AddressBody) address?: AddressBody;
  @IsOptional() @IsObject() @ValidateNested() @Type(() => AddressBody) billing_address?: AddressBody;
  @IsOptional() @IsObject() @ValidateNested() @Type(() => AddressBody) shipping_address?: AddressBody;
  @IsOptional() @IsCurrencyCode() default_currency_code?: string;
  /** Percent. */
  @IsOptional() @IsDecimalInRange('0', '999.9999') tax_rate?: string;
  @IsOptional() @IsTimezone() timezone?: string;
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
