import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsObject,
  registerDecorator,
  ValidateIf,
  type ValidationOptions,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { fromWireId, isUuid, kindName, type IdKind } from '../../../kernel/ids.js';
import { CALCULABLE_YEARS, outsideCalculable, parseInstant } from '../../../kernel/instant.js';
import {
  compareQuantities,
  exactDecimalText,
  quantity,
  readJsonNumber,
  textOfNumber,
} from '../../../kernel/quantity.js';
import { FieldSchema } from '../openapi/field-schema.js';
import { ReferenceTo } from '../references/reference-fields.js';
import { unknownId } from '../../../kernel/errors.js';
import { isCurrency } from '../../../kernel/money.js';
import { isZone } from '../../../kernel/zone.js';

/**
 * Decorators for the fields of a body. Each says how its type is read (one explicit transform) and what is allowed.
 * The constraint names are the codes of docs/contract.md#errors, so that the pipe need not guess.
 */
const allow = (code: string, holds: (value: unknown) => boolean, message: string) =>
  function (target: object, property: string | symbol, options?: ValidationOptions): void {
    registerDecorator({
      name: code,
      target: target.constructor,
      propertyName: property as string,
      options: { message, ...options },
      validator: { validate: holds },
    });
  };

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };

/** Reads a list of bodies of one class. */
export const IsListOf = (type: () => new () => object, max: number): PropertyDecorator =>
  all(Type(type), IsArray(), ArrayMaxSize(max), ValidateNested({ each: true }));

export const IsNested = (type: () => new () => object): PropertyDecorator =>
  all(Type(type), IsObject(), ValidateNested());

/** Reads a time in a form of docs/contract.md#times; the field gets an `Instant`. */
export const IsInstantText = (): PropertyDecorator =>
  all(
    FieldSchema({ type: 'string', format: 'date-time' }),
    Transform(({ value }) => (typeof value === 'string' ? (parseInstant(value) ?? value) : value)),
    allow(
      'invalid',
      (value) => typeof value === 'string' && parseInstant(value) !== undefined,
      'Give a date and time as RFC 3339, such as 2026-01-31T12:00:00Z.',
    ),
  );

/** Reads a time that other times are calculated from. */
export const IsCalculableInstant = (): PropertyDecorator => {
  const sideOf = (value: unknown) => {
    const at = typeof value === 'string' ? parseInstant(value) : undefined;
    return at && outsideCalculable(at);
  };
  const advice = `Give a time in ${CALCULABLE_YEARS}.`;
  return all(
    IsInstantText(),
    allow('min_value', (value) => sideOf(value) !== 'before', advice),
    allow('max_value', (value) => sideOf(value) !== 'after', advice),
  );
};

/** Form of `exactDecimalText`, with at most the length that a double needs. */
const DECIMAL_TEXT = /^(?=.{1,400}$)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

const asQuantity = (value: unknown) =>
  typeof value === 'string' && DECIMAL_TEXT.test(value) ? quantity(value) : undefined;

/** Converts a number by its shortest text, without float arithmetic (docs/billing.md#rounding). */
function toDecimalText(value: unknown): unknown {
  if (typeof value === 'number' && Number.isFinite(value)) return textOfNumber(value);
  const read = typeof value === 'string' ? readJsonNumber(value) : undefined;
  return read ? exactDecimalText(read) : value;
}

/** Says what is wrong with a number beyond a bound: one just below a whole number also refuses numbers between them. */
const beyond = (what: string, bound: string): string =>
  `too ${what}${/9\.9+$/.test(bound) ? ', or has too many decimals so near to the limit' : ''}`;

/** Reads a number with min ≤ x ≤ max; the field gets its exact decimal text. Bounds are decimal text. */
export const IsDecimalInRange = (min: string, max: string): PropertyDecorator => {
  const [lowest, highest] = [quantity(min), quantity(max)];
  return all(
    FieldSchema({ type: 'number', minimum: Number(min), maximum: Number(max) }),
    Transform(({ value }) => toDecimalText(value)),
    allow(
      'invalid',
      (value) => asQuantity(value) !== undefined,
      'Give a number such as 1200.50, not 1,200.50.',
    ),
    allow(
      'min_value',
      (value) => compareQuantities(asQuantity(value) ?? lowest, lowest) >= 0,
      `The number is ${beyond('small', min)}. Give at least ${min}.`,
    ),
    allow(
      'max_value',
      (value) => compareQuantities(asQuantity(value) ?? highest, highest) <= 0,
      `The number is ${beyond('large', max)}. Give at most ${max}.`,
    ),
  );
};

/** Reads a whole number with min ≤ n ≤ max, also as text. */
export const IsWholeNumber = (min: number, max: number): PropertyDecorator =>
  all(
    FieldSchema({ type: 'integer', minimum: min, maximum: max }),
    Transform(({ value }) =>
      typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : (value as unknown),
    ),
    allow('invalid', Number.isInteger, 'Give a whole number.'),
    allow(
      'min_value',
      (value) => typeof value !== 'number' || value >= min,
      `The number is too small. Give at least ${min}.`,
    ),
    allow(
      'max_value',
      (value) => typeof value !== 'number' || value <= max,
      `The number is too large. Give at most ${max}.`,
    ),
  );

/** Reads an id with or without prefix and dashes; the field gets the `Uuid`. */
export const IsWireId = (kind: IdKind): PropertyDecorator =>
  all(
    FieldSchema({ type: 'string', minLength: 1 }),
    ReferenceTo(kind),
    Transform(({ value }) => (typeof value === 'string' ? (fromWireId(kind, value) ?? value) : value)),
    allow('invalid', (value) => typeof value === 'string', 'Give the id as text.'),
    allow('does_not_exist', (value) => typeof value !== 'string' || isUuid(value), unknownId(kindName(kind))),
  );

/** Reads true or false, also as text; forms take more spellings (`valuesOfForm`). */
export const IsFlag = (): PropertyDecorator =>
  all(
    FieldSchema({ type: 'boolean' }),
    Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : value)),
    allow('invalid', (value) => typeof value === 'boolean', 'Give true or false.'),
  );

const NULLABLE = Symbol('fields whose null has a meaning');

/** Marks an optional field whose null has a meaning; for other optional fields null counts as left out. */
export const Nullable = (): PropertyDecorator =>
  all(
    (target, property) => {
      const known =
        (Reflect.getMetadata(NULLABLE, target.constructor) as Set<string> | undefined) ?? new Set();
      Reflect.defineMetadata(NULLABLE, new Set([...known, property as string]), target.constructor);
    },
    ValidateIf((_, value) => value !== undefined && value !== null),
  );

/** Marks an optional field that may not be null. */
export const OptionalNotNull = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

export const isNullable = (type: object, property: string): boolean =>
  (Reflect.getMetadata(NULLABLE, type) as Set<string> | undefined)?.has(property) ?? false;

const RULE = Symbol('fields of which a body has exactly one');

/** Requires exactly one of two fields; null counts as left out. */
export const ExactlyOne =
  (one: string, other: string): ClassDecorator =>
  (type) =>
    Reflect.defineMetadata(RULE, [one, other], type);

/** Returns the two fields of which a body has exactly one; undefined without this rule. */
export const exclusiveFields = (type: object): readonly [string, string] | undefined =>
  Reflect.getMetadata(RULE, type) as readonly [string, string] | undefined;

/** Limit of a free-form object: several events with one have to fit into an append. */
const MAX_LENGTH = 64 * 1024;
/** Limit of levels, which code can walk by recursion. */
const MAX_DEPTH = 32;

/** Reads a free-form object, which is stored and returned unchanged. */
export const IsFreeForm = (): PropertyDecorator => (target, property) => {
  FieldSchema({ type: 'object', additionalProperties: true })(target, property);
  const rules = [
    ['isObject', isObject, 'Give an object of keys and values.'],
    ['isShallow', isShallow, `The object is nested deeper than ${MAX_DEPTH} levels. Flatten it.`],
    ['maxLength', isShort, `The object is longer than ${MAX_LENGTH} characters of JSON. Shorten it.`],
  ] as const;
  for (const [name, validate, sentence] of rules) {
    ValidateBy({ name, validator: { validate } }, { message: sentence })(target, property as string);
  }
};

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isShort = (value: unknown): boolean => !isShallow(value) || JSON.stringify(value).length <= MAX_LENGTH;

/** Walks level by level, as recursion could exceed the stack. */
function isShallow(value: unknown): boolean {
  let level = [value].filter(isNesting);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) return false;
    level = level.flatMap((nesting) => Object.values(nesting)).filter(isNesting);
  }
  return true;
}

const isNesting = (value: unknown): value is object => typeof value === 'object' && value !== null;

const known = (read: (text: string) => string, holds: (text: string) => boolean, sentence: string) =>
  function (target: object, property: string): void {
    FieldSchema({ type: 'string', minLength: 2 })(target, property);
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

/** Reads a currency of ISO 4217; the field gets its code in capitals. */
export const IsCurrencyCode = () =>
  known(inCapitals, isCurrency, 'Give a currency code of ISO 4217, such as USD.');

/** Reads a name of the IANA time zone database. */
export const IsTimezone = () => known(asWritten, isZone, 'Give an IANA time zone, such as Europe/Warsaw.');

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Region codes that are no country: organizations of states, private use, unknown. */
const NO_COUNTRIES = ['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'];

/** Returns whether a code names a country or a part of the world, such as 419 for Latin America. */
const isRegion = (code: string): boolean => REGIONS.of(code) !== undefined && !NO_COUNTRIES.includes(code);

/** Reads a country; the field gets its two letters in capitals. */
export const IsCountryCode = () =>
  known(
    inCapitals,
    (code) => /^[A-Z]{2}$/.test(code) && isRegion(code),
    'Give a country code of ISO 3166, two letters such as PL.',
  );

/** Reads a language that numbers and dates can be written in, with or without a known region. */
export const IsLocale = () =>
  known(
    asWritten,
    isLocale,
    'Give a known language, with or without a known region, as a BCP 47 tag such as de or de-AT.',
  );

function isLocale(text: string): boolean {
  try {
    if (text.length > 35 || Intl.DateTimeFormat.supportedLocalesOf(text).length === 0) return false;
    const { region } = new Intl.Locale(text);
    return region === undefined || isRegion(region);
  } catch {
    return false;
  }
}

/** Returns a language tag in its canonical form: `de-at` becomes `de-AT`. */
export const canonicalLocale = (tag: string): string => Intl.getCanonicalLocales(tag)[0]!;
