import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsCurrencyCode, IsTimezone } from '../../platform/http/validation/validators.js';
import type { Settings } from '../domain/events.js';
import { Trimmed } from './document-settings.body.js';

/** Body of `POST /api/organizations/`. The holder of the organization's key can change all settings later. */
export class CreateOrganizationBody {
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(200) organization_name!: string;
  @IsOptional() @IsCurrencyCode() default_currency_code?: string;
  @IsOptional() @IsTimezone() timezone?: string;
}

export const toSettings = (body: CreateOrganizationBody): Pick<Settings, 'name'> & Partial<Settings> => ({
  name: body.organization_name,
  ...(body.default_currency_code ? { defaultCurrency: body.default_currency_code } : {}),
  ...(body.timezone ? { timezone: body.timezone } : {}),
});
