import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { DefineAddonInput } from '../commands/define-addon.js';
import { BILLING_FREQUENCIES, INVOICE_WHEN, type AddonVersion } from '../domain/addon-version.js';
import type { VersionReferences } from '../domain/version-proposal.js';
import { IsName, IsNested } from './fields.js';
import { toFeatures, toPrices } from './plan-input.js';
import { PricesBody } from './version.body.js';

class AddonVersionBody extends PricesBody {
  @IsOptional() @IsIn(INVOICE_WHEN) invoice_when?: AddonVersion['invoiceWhen'];
  @IsIn(BILLING_FREQUENCIES) billing_frequency!: AddonVersion['billingFrequency'];
}

/** Body of `POST /api/addons/` (docs/contract.md#add-ons). */
export class CreateAddonBody {
  @IsName(200) addon_name!: string;
  @IsOptional() @IsString() @MaxLength(5000) addon_description?: string;
  @IsNested(() => AddonVersionBody) initial_version!: AddonVersionBody;
}

/** The add-on that a body without any fault asks for. */
export const toAddonInput = (body: CreateAddonBody, known: VersionReferences): DefineAddonInput => ({
  name: body.addon_name,
  description: body.addon_description ?? null,
  version: {
    content: toPrices(body.initial_version, known, null),
    features: toFeatures(body.initial_version, known),
    invoiceWhen: body.initial_version.invoice_when ?? 'invoice_on_attach',
    billingFrequency: body.initial_version.billing_frequency,
  },
});
