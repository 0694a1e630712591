import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isCurrency } from '../../../kernel/money.js';
import { isZone } from '../../../kernel/zone.js';
import { FieldSchema } from '../openapi/field-schema.js';

const known = (read: (text: string) => string, holds: (text: string) => boolean, sentence: string) =>
  function (target: object, property: string): void {
    FieldSchema({ type: 'string', minLength: 2, description: sentence })(target, property);
    Transform(({ value }) => (typeof value === 'string' ? read(value.trim()) : value))(target, property);
    ValidateBy({
      name: 'invalid_choice',
      validator: {
        validate: (value) => typeof value === 'string' && holds(value),
        defaultMessage: () => sentence,
      },
    })(target, property);
  };

const asWritten = (text: string): string => text;
const inCapitals = (text: string): string => text.toUpperCase();

/** A currency of ISO 4217; the field holds its code in capitals. */
export const IsCurrencyCode = () =>
  known(inCapitals, isCurrency, 'Give a currency code of ISO 4217, such as USD.');

/** A name of the IANA time zone database. */
export const IsTimezone = () => known(asWritten, isZone, 'Give an IANA time zone, such as Europe/Warsaw.');

/** Two letters; the field holds them in capitals. */
export const IsCountryCode = () =>
  known(inCapitals, (code) => /^[A-Z]{2}$/.test(code), 'Give a country code of two letters, such as PL.');
