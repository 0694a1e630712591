import 'reflect-metadata';
import { Transform } from 'class-transformer';
import { registerDecorator, ValidateIf, type ValidationOptions } from 'class-validator';
import { fromWireId, isUuid, type IdKind } from '../../../kernel/ids.js';
import { parseInstant } from '../../../kernel/instant.js';
import {
  compareQuantities,
  exactDecimalText,
  quantity,
  quantityOfNumber,
  readJsonNumber,
} from '../../../kernel/quantity.js';
import { FieldSchema } from '../openapi/field-schema.js';

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

/** A time in one of the forms of docs/contract.md#times; the field holds an `Instant`. */
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

/** As `exactDecimalText` writes, and no longer than any double needs. */
const DECIMAL_TEXT = /^(?=.{1,400}$)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

const asQuantity = (value: unknown) =>
  typeof value === 'string' && DECIMAL_TEXT.test(value) ? quantity(value) : undefined;

/** A number through its shortest text, never through float arithmetic (docs/billing.md#rounding); a form's text as it is. */
function toDecimalText(value: unknown): unknown {
  if (typeof value === 'number' && Number.isFinite(value)) return exactDecimalText(quantityOfNumber(value));
  const read = typeof value === 'string' ? readJsonNumber(value) : undefined;
  return read ? exactDecimalText(read) : value;
}

/** A number with min ≤ x ≤ max; the field holds its exact decimal text, every digit. Bounds are decimal text too. */
export const IsDecimalInRange = (min: string, max: string): PropertyDecorator => {
  const [lowest, highest] = [quantity(min), quantity(max)];
  return all(
    FieldSchema({ type: 'number', minimum: Number(min), maximum: Number(max) }),
    Transform(({ value }) => toDecimalText(value)),
    allow('invalid', (value) => asQuantity(value) !== undefined, 'Give a number.'),
    allow(
      'min_value',
      (value) => compareQuantities(asQuantity(value) ?? lowest, lowest) >= 0,
      `The number is at least ${min}.`,
    ),
    allow(
      'max_value',
      (value) => compareQuantities(asQuantity(value) ?? highest, highest) <= 0,
      `The number is at most ${max}.`,
    ),
  );
};

/** A whole number with min ≤ n ≤ max, also as a form sends it. */
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
      `The number is at least ${min}.`,
    ),
    allow('max_value', (value) => typeof value !== 'number' || value <= max, `The number is at most ${max}.`),
  );

/** An id of ours, with or without prefix and dashes; the field holds the `Uuid`. */
export const IsWireId = (kind: IdKind): PropertyDecorator =>
  all(
    FieldSchema({ type: 'string', minLength: 1, description: `Id of kind ${kind}.` }),
    Transform(({ value }) => (typeof value === 'string' ? (fromWireId(kind, value) ?? value) : value)),
    allow('invalid', (value) => typeof value === 'string', 'Give the id as text.'),
    allow(
      'does_not_exist',
      (value) => typeof value !== 'string' || isUuid(value),
      `There is no ${kind} with the id given.`,
    ),
  );

/** true or false, also as a form sends them. */
export const IsFlag = (): PropertyDecorator =>
  all(
    FieldSchema({ type: 'boolean' }),
    Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : value)),
    allow('invalid', (value) => typeof value === 'boolean', 'Give true or false.'),
  );

const NULLABLE = Symbol('fields whose null has a meaning');

/** A field that may be left out and whose null has a meaning; without it a null is as if the field were left out. */
export const Nullable = (): PropertyDecorator =>
  all(
    (target, property) => {
      const known =
        (Reflect.getMetadata(NULLABLE, target.constructor) as Set<string> | undefined) ?? new Set();
      Reflect.defineMetadata(NULLABLE, new Set([...known, property as string]), target.constructor);
    },
    ValidateIf((_, value) => value !== undefined && value !== null),
  );

/** A field that may be left out, but not be null. */
export const OptionalNotNull = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

export const isNullable = (type: object, property: string): boolean =>
  (Reflect.getMetadata(NULLABLE, type) as Set<string> | undefined)?.has(property) ?? false;
