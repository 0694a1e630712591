import { Transform } from 'class-transformer';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { IsCountryCode } from '../platform/http/validation/validators.js';
import type { PostalAddress } from './domain/personal-data.js';

/** Reads blank text, which forms send for empty fields, as null. */
const BlankIsNull = () => Transform(({ value }) => (value === '' ? null : value));

/** Body of a customer's address (docs/contract.md#customer); every part may be left out. */
export class AddressBody {
  @IsOptional() @BlankIsNull() @IsString() @MaxLength(200) city?: string;
  @IsOptional() @BlankIsNull() @IsCountryCode() country?: string;
  @IsOptional() @BlankIsNull() @IsString() @MaxLength(500) line1?: string;
  @IsOptional() @BlankIsNull() @IsString() @MaxLength(500) line2?: string;
  @IsOptional() @BlankIsNull() @IsString() @MaxLength(50) postal_code?: string;
  @IsOptional() @BlankIsNull() @IsString() @MaxLength(200) state?: string;
}

/** Reads an address in a body, of a customer or of the seller. */
export const toPostalAddress = (body: AddressBody): PostalAddress => ({
  city: body.city ?? null,
  country: body.country ?? null,
  line1: body.line1 ?? null,
  line2: body.line2 ?? null,
  postalCode: body.postal_code ?? null,
  state: body.state ?? null,
});
