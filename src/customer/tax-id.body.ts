import { Transform } from 'class-transformer';
import { IsIn, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { FieldSchema } from '../platform/http/openapi/field-schema.js';
import { TAX_ID_TYPES, type TaxId } from './domain/personal-data.js';

/** Tax or company number in a body, of a customer or of the seller. */
export class TaxIdBody {
  @FieldSchema({
    type: 'string',
    enum: TAX_ID_TYPES,
    description:
      '`vat`: VAT number, with its country; `tax_number`: other tax number; `company_number`: number in the register of companies.',
  })
  @IsIn(TAX_ID_TYPES)
  type!: TaxId['type'];
  @FieldSchema({
    type: 'string',
    description: 'The number as it is printed.',
    minLength: 1,
    maxLength: 50,
  })
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @IsNotEmpty()
  @MaxLength(50)
  value!: string;
}

export const toTaxIds = (body: readonly TaxIdBody[]): TaxId[] =>
  body.map(({ type, value }) => ({ type, value }));
