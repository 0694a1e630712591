import { Transform } from 'class-transformer';
import { IsBIC, IsIBAN, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { TaxIdBody, toTaxIds } from '../../customer/tax-id.body.js';
import { FieldSchema } from '../../platform/http/openapi/field-schema.js';
import {
  canonicalLocale,
  IsLocale,
  Nullable,
  IsListOf,
  IsNested,
} from '../../platform/http/validation/validators.js';
import type { DocumentSettings, Logo } from '../domain/events.js';
import { LONGEST_LOGO, readImage } from '../logos/read-image.js';

export const Trimmed = () => Transform(({ value }) => (typeof value === 'string' ? value.trim() : value));

/** Reads an IBAN or BIC without blanks, in capitals. */
const Compact = () =>
  Transform(({ value }) =>
    typeof value === 'string' ? value.replaceAll(/\s/g, '').toUpperCase() : (value as unknown),
  );

const described = (description: string, more: object = {}) =>
  FieldSchema({ type: 'string', description, ...more });

class PaymentDetailsBody {
  @described('Holder of the account.', { maxLength: 200 })
  @IsOptional()
  @Trimmed()
  @IsString()
  @MaxLength(200)
  account_holder?: string;
  @described('IBAN of the account; blanks are left out.')
  @IsOptional()
  @Compact()
  @IsIBAN(undefined, { message: 'Give an IBAN, such as DE89370400440532013000.' })
  iban?: string;
  @described('BIC of the bank.')
  @IsOptional()
  @Compact()
  @IsBIC({ message: 'Give a BIC of 8 or 11 characters, such as COBADEFFXXX.' })
  bic?: string;
  @described('Further words, such as the reference to give.', { maxLength: 500 })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  text?: string;
}

const bytesOf = (data: string): Buffer =>
  Buffer.from(data.replace(/^data:image\/[a-z]+;base64,/, ''), 'base64');

function faultOf(data: unknown): string | undefined {
  if (typeof data !== 'string') return 'Give the picture in base64.';
  try {
    readImage(bytesOf(data));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

class LogoBody {
  @described(`A PNG or JPEG of at most ${LONGEST_LOGO} bytes in base64; a data URL is taken too.`)
  @ValidateBy({
    name: 'invalid',
    validator: {
      validate: (data) => faultOf(data) === undefined,
      defaultMessage: (field) => faultOf(field?.value) ?? '',
    },
  })
  data!: string;
}

/** Settings of invoice documents, in the body of `PATCH /api/organization/`. */
export class DocumentSettingsBody {
  @described('Name of the seller on invoices, as registered; null: the name of the organization.', {
    maxLength: 200,
  })
  @Nullable()
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  legal_name?: string | null;
  @IsOptional()
  @IsListOf(() => TaxIdBody, 5)
  tax_ids?: TaxIdBody[];
  @described('Terms of payment on invoices, in words; null: none.', { maxLength: 500 })
  @Nullable()
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  payment_terms?: string | null;
  @Nullable()
  @IsNested(() => PaymentDetailsBody)
  payment_details?: PaymentDetailsBody | null;
  @described('Text at the foot of every page of an invoice; null: none.', { maxLength: 500 })
  @Nullable()
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  invoice_footer?: string | null;
  @described('Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: English.')
  @Nullable()
  @IsLocale()
  invoice_locale?: string | null;
  @Nullable()
  @IsNested(() => LogoBody)
  logo?: LogoBody | null;
}

type Unset<T> = { [Name in keyof T]: T[Name] | undefined };

export function toDocumentSettings(body: DocumentSettingsBody): Unset<DocumentSettings> {
  const { payment_details: details, invoice_locale: locale } = body;
  return {
    legalName: body.legal_name,
    taxIds: body.tax_ids && toTaxIds(body.tax_ids),
    paymentTerms: body.payment_terms,
    paymentDetails: details && {
      accountHolder: details.account_holder ?? null,
      iban: details.iban ?? null,
      bic: details.bic ?? null,
      text: details.text ?? null,
    },
    invoiceFooter: body.invoice_footer,
    invoiceLocale: locale && canonicalLocale(locale),
    logo: logoOf(body),
  };
}

const logoOf = ({ logo }: DocumentSettingsBody): Logo | null | undefined =>
  logo && readImage(bytesOf(logo.data));

/** Returns the bytes of the logo in a body. */
export const logoBytes = ({ logo }: DocumentSettingsBody): Buffer | undefined =>
  logo ? bytesOf(logo.data) : undefined;
