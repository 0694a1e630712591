import type { Type, ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import {
  getMetadataStorage,
  type ValidationError,
  validateSync,
  type ValidatorOptions,
} from 'class-validator';
import type { FieldError, FieldErrorCode } from '../../../kernel/errors.js';
import { type Constraint, isKeptBy, NESTED, NOT_NESTED, sentenceOf } from './constraint-sentences.js';
import { exclusiveFields, isNullable } from './validators.js';
import { InvalidRequest } from '../problems/problem.js';

interface Field {
  readonly name: string;
  readonly read: (value: unknown, body: object) => unknown;
}

/** The rules of a class, read from its decorators. */
interface BodyRules {
  readonly fields: readonly Field[];
  /** Sentences by field and constraint, `name maxLength`. */
  readonly sentences: ReadonlyMap<string, string>;
  /** Constraints of the entries of a list, by its field. */
  readonly ofEntries: ReadonlyMap<string, readonly Constraint[]>;
  readonly exclusive: readonly [string, string] | undefined;
}

const rulesByType = new Map<Type<object>, BodyRules>();

/**
 * Creates a DTO from the parsed JSON of a body. Only fields with a decorator are read, so unknown fields and keys such as
 * `__proto__` or `constructor` have no effect; free-form objects stay as they are. `plainToInstance` of class-transformer
 * does not serve: it copies unknown fields, drops such keys from free-form objects, and throws for some bodies.
 */
export function toDto(type: Type<object>, plain: object): object {
  const body = new type() as Record<string, unknown>;
  for (const { name, read } of rulesOf(type).fields) {
    if (Object.hasOwn(plain, name)) body[name] = read((plain as Record<string, unknown>)[name], plain);
  }
  return body;
}

/** Reads the decorators of a class once. */
function rulesOf(type: Type<object>): BodyRules {
  let rules = rulesByType.get(type);
  if (!rules) {
    const constraints = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    const fields = [...new Set(constraints.map(({ propertyName }) => propertyName))].map((name) => {
      const longest = constraints.find((one) => one.propertyName === name && one.name === 'arrayMaxSize');
      return fieldOf(type, name, (longest?.constraints?.[0] as number | undefined) ?? Infinity);
    });
    const sentences = constraints.flatMap((one) => {
      const sentence = sentenceOf(one);
      return sentence === undefined
        ? []
        : [[`${one.propertyName} ${one.name ?? one.type}`, sentence] as const];
    });
    const ofEntries = new Map(
      fields.map(({ name }) => [name, constraints.filter((one) => one.each && one.propertyName === name)]),
    );
    rules = { fields, sentences: new Map(sentences), ofEntries, exclusive: exclusiveFields(type) };
    rulesByType.set(type, rules);
  }
  return rules;
}

/** @param longest limit of entries; one more is read, so that the validator sees that there are too many */
function fieldOf(type: Type<object>, name: string, longest: number): Field {
  const metadata = defaultMetadataStorage.findTypeMetadata(type, name);
  const nested = metadata?.typeFunction?.() as Type<object> | undefined;
  const transforms = defaultMetadataStorage.findTransformMetadatas(
    type,
    name,
    TransformationType.PLAIN_TO_CLASS,
  );
  return {
    name,
    read: (value, obj) =>
      transforms.reduce<unknown>(
        (current, { transformFn }) =>
          transformFn({
            value: current,
            key: name,
            obj,
            type: TransformationType.PLAIN_TO_CLASS,
            options: {},
          }),
        readNested(nested, Array.isArray(value) ? value.slice(0, longest + 1) : value),
      ),
  };
}

/**
 * Transforms nested bodies. Other values stay, and `@ValidateNested()` refuses them. A list within a list becomes text, as
 * `@ValidateNested()` would accept it.
 */
function readNested(type: Type<object> | undefined, value: unknown): unknown {
  if (!type) return value;
  if (Array.isArray(value))
    return value.map((item) => (Array.isArray(item) ? 'a list' : readNested(type, item)));
  return typeof value === 'object' && value !== null ? toDto(type, value) : value;
}

/** Codes of the validators of class-validator; the name of an own validator is its code. All others are `invalid`. */
const CODES: Readonly<Record<string, FieldErrorCode>> = {
  invalid_choice: 'invalid_choice',
  does_not_exist: 'does_not_exist',
  min_value: 'min_value',
  max_value: 'max_value',
  isIn: 'invalid_choice',
  min: 'min_value',
  max: 'max_value',
  maxLength: 'max_length',
  arrayMaxSize: 'max_length',
};

/** Priority of codes: a field with several errors reports the first one in this list. */
const CODES_BY_PRIORITY: readonly FieldErrorCode[] = [
  'invalid',
  'does_not_exist',
  'invalid_choice',
  'max_length',
  'min_value',
  'max_value',
];

const REFUSES_BLANK = new Set(['isNotEmpty', 'minLength', 'length', 'isLength']);

/**
 * Returns one error for each invalid field, with its dotted path in the body that was sent: of a text that is read as an
 * object, such as a tag, with the path of the text.
 */
function toFieldErrors(errors: readonly ValidationError[], sent: unknown, path = ''): FieldError[] {
  return errors.flatMap((error) => {
    const isField = typeof sent === 'object' && sent !== null;
    const attr = isField ? `${path && `${path}.`}${error.property}` : path;
    const own = error.constraints ? ofFieldOrEntries(attr, error, error.constraints) : [];
    const inside = isField ? (sent as Record<string, unknown>)[error.property] : sent;
    const known = new Set(own.map((one) => one.attr));
    const nested = toFieldErrors(error.children ?? [], inside, attr);
    return [...own, ...nested.filter((one) => !known.has(one.attr))];
  });
}

/** Returns the error of a field, or one for each wrong entry of a list that is right as a whole. */
function ofFieldOrEntries(
  attr: string,
  error: ValidationError,
  broken: Readonly<Record<string, string>>,
): FieldError[] {
  const { value, target, property } = error;
  const { ofEntries } = rulesOf(target!.constructor as Type<object>);
  const constraints = ofEntries.get(property) ?? [];
  const names = new Set(constraints.map(({ name }) => name));
  const isOfEntries = Array.isArray(value) && Object.keys(broken).every((name) => names.has(name));
  if (!isOfEntries) return [ofField(attr, error, broken)];
  return (value as unknown[]).flatMap((entry, index) => {
    const own = constraints.filter((constraint) => !isKeptBy(entry, constraint)).map(({ name }) => name!);
    if (own.length === 0) return [];
    const messages = Object.fromEntries(own.map((name) => [name, broken[name]!]));
    return [ofField(`${attr}.${index}`, { value: entry, target, property } as ValidationError, messages)];
  });
}

function ofField(
  attr: string,
  { value, target, property }: ValidationError,
  broken: Readonly<Record<string, string>>,
): FieldError {
  if (value === undefined) return { code: 'required', detail: 'This field is required. Send it.', attr };
  if (value === null) return { code: 'null', detail: 'This field may not be null. Give a value.', attr };
  if (value === '' && Object.keys(broken).some((name) => REFUSES_BLANK.has(name))) {
    return { code: 'blank', detail: 'This field may not be blank. Give a value.', attr };
  }
  // A value that must be a list and is none has this one error, and none about its entries.
  const [code, constraint] = (broken['isArray'] === undefined ? Object.keys(broken) : ['isArray'])
    .map((name) => [codeOf(name, value), name] as const)
    .sort(([a], [b]) => CODES_BY_PRIORITY.indexOf(a) - CODES_BY_PRIORITY.indexOf(b))[0]!;
  if (constraint === NESTED) return { code, detail: NOT_NESTED, attr };
  const { sentences } = rulesOf(target!.constructor as Type<object>);
  return { code, detail: sentences.get(`${property} ${constraint}`) ?? broken[constraint]!, attr };
}

function codeOf(constraint: string, value: unknown): FieldErrorCode {
  // `@Length(1, 200)` means both ends; blank text was reported before.
  if (constraint === 'isLength') return typeof value === 'string' && value !== '' ? 'max_length' : 'invalid';
  return Object.hasOwn(CODES, constraint) ? CODES[constraint]! : 'invalid';
}

const OPTIONS: ValidatorOptions = {
  // A class without rules accepts any object.
  forbidUnknownValues: false,
};

/** Limit of reported errors. */
export const MAX_FIELD_ERRORS = 1_000;

/**
 * Transforms a body into its DTO, or reports all its errors; unknown fields are ignored, because clients rely
 * on it (docs/contract.md#paths-and-bodies). Other parameters pass.
 */
export class BodyValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' || !metatype || metatype === Object) return value;
    const plain = value ?? {};
    if (value === null || typeof plain !== 'object' || Array.isArray(plain)) {
      throw new InvalidRequest({
        code: 'invalid',
        detail: 'Send a JSON object.',
        attr: 'non_field_errors',
      });
    }
    const body = toDto(metatype as Type<object>, plain);
    const faults = [
      ...toFieldErrors(validateSync(body, OPTIONS), plain),
      ...exclusiveFieldErrors(metatype as Type<object>, body),
    ];
    const [first, ...rest] = faults.slice(0, MAX_FIELD_ERRORS);
    if (first) throw new InvalidRequest(first, ...rest);
    dropNulls(body);
    return body;
  }
}

/** Returns the error of a body that has both or none of two exclusive fields; null counts as left out. */
function exclusiveFieldErrors(type: Type<object>, body: object): FieldError[] {
  const names = rulesOf(type).exclusive;
  if (!names) return [];
  const given = names.filter((name) => ((body as Record<string, unknown>)[name] ?? null) !== null).length;
  if (given === 1) return [];
  const attr = 'non_field_errors';
  return given === 0
    ? [{ code: 'required', detail: `Give ${names.join(' or ')}.`, attr }]
    : [{ code: 'invalid', detail: `Give ${names.join(' or ')}, not both.`, attr }];
}

/** Removes nulls of optional fields, unless null has a meaning (`@Nullable()`). */
function dropNulls(body: object): void {
  const { constructor: type } = Object.getPrototypeOf(body) as object;
  for (const [field, value] of Object.entries(body)) {
    if (value === null) {
      if (!isNullable(type, field)) Reflect.deleteProperty(body, field);
    } else {
      for (const nested of Array.isArray(value) ? value : [value]) if (isBody(nested)) dropNulls(nested);
    }
  }
}

/** Returns whether a value is a nested body; free-form objects, which keep their nulls, have another prototype. */
function isBody(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null;
}
