import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsEmail,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import {
  IsCountryCode,
  IsCurrencyCode,
  IsTimezone,
  IsDecimalInRange,
  IsNested,
  IsWholeNumber,
  Nullable,
} from '../../platform/http/validation/validators.js';
import { toPostalAddress } from '../../customer/address.body.js';
import type { Settings } from '../domain/events.js';
import { DocumentSettingsBody, toDocumentSettings, Trimmed } from './document-settings.body.js';

class SellerAddressBody {
  @IsOptional() @IsString() @MaxLength(200) city?: string;
  @IsOptional() @IsCountryCode() country?: string;
  @IsOptional() @IsString() @MaxLength(500) line1?: string;
  @IsOptional() @IsString() @MaxLength(500) line2?: string;
  @IsOptional() @IsString() @MaxLength(50) postal_code?: string;
  @IsOptional() @IsString() @MaxLength(200) state?: string;
}

/** Body of `PATCH /api/organization/`. Omitted fields stay; null clears. */
export class ChangeSettingsBody extends DocumentSettingsBody {
  @IsOptional() @Trimmed() @IsString() @IsNotEmpty() @MaxLength(200) organization_name?: string;
  @IsOptional() @IsCurrencyCode() default_currency_code?: string;
  @IsOptional() @IsTimezone() timezone?: string;
  @Nullable() @IsDecimalInRange('0', '999.9999') tax_rate?: string | null;
  @Nullable() @IsNested(() => SellerAddressBody) address?: SellerAddressBody | null;
  @Nullable() @IsEmail() @MaxLength(254) email?: string | null;
  @Nullable() @IsString() @MaxLength(50) phone?: string | null;
  @Nullable() @IsWholeNumber(0, 3650) payment_grace_period?: number | null;
  @IsOptional() @IsWholeNumber(0, 43_200) late_event_grace_minutes?: number;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  @MaxLength(100, { each: true })
  subscription_filter_keys?: string[];
  @IsOptional() @IsIn(['any', 'all']) feature_access_policy?: 'any' | 'all';
  @IsOptional() @IsIn(['second', 'day']) proration_basis?: 'second' | 'day';
}

export function toSettingsChanges(body: ChangeSettingsBody): Partial<Settings> {
  const changes: { [Name in keyof Settings]?: Settings[Name] | undefined } = {
    name: body.organization_name,
    defaultCurrency: body.default_currency_code,
    timezone: body.timezone,
    taxRate: body.tax_rate,
    address: body.address && toPostalAddress(body.address),
    email: body.email,
    phone: body.phone,
    paymentGraceDays: body.payment_grace_period,
    lateEventGraceMinutes: body.late_event_grace_minutes,
    subscriptionFilterKeys: body.subscription_filter_keys,
    featureAccessPolicy: body.feature_access_policy,
    prorationBasis: body.proration_basis,
    ...toDocumentSettings(body),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
