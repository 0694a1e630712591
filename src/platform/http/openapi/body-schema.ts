import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { groupBy } from '../../../kernel/iteration.js';
import { isNullable } from '../validation/validators.js';
import { fieldSchemaOf } from './field-schema.js';
import { withNull, writeNamed, type Components, type JsonSchema } from './schema.js';

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The schema of a body, read from the validators of its class: there is no second list of its fields. */
export function bodySchema(type: Type<object>, components: Components): JsonSchema {
  return writeNamed(components, type.name, type, () => schemaOfClass(type, components));
}

function schemaOfClass(type: Type<object>, components: Components): JsonSchema {
  const all = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
  const rules = groupBy(all, ({ propertyName }) => propertyName);
  const required = [...rules].filter(([, of]) => !of.some(isCondition)).map(([field]) => field);
  const properties = [...rules].map(
    ([field, of]) => [field, schemaOfField(type, field, of, components)] as const,
  );
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(properties),
  };
}

const isCondition = (rule: Rule): boolean => rule.type === ValidationTypes.CONDITIONAL_VALIDATION;

function schemaOfField(
  type: Type<object>,
  field: string,
  rules: readonly Rule[],
  components: Components,
): JsonSchema {
  const metadata = defaultMetadataStorage.findTypeMetadata(type, field);
  const nested = metadata?.typeFunction?.() as Type<object> | undefined;
  const of = (each: boolean) =>
    Object.assign({}, ...rules.filter((rule) => Boolean(rule.each) === each).map(keywordsOf)) as JsonSchema;
  const whole = { ...of(false), ...fieldSchemaOf(type, field) };
  const part = nested ? bodySchema(nested, components) : of(true);
  const isList = whole['type'] === 'array';
  const schema = isList ? { ...whole, items: whole['items'] ?? part } : nested ? part : whole;
  if (Object.keys(schema).length === 0 && fieldSchemaOf(type, field) === undefined) {
    throw new Error(`${type.name}.${field} has no schema: say what it takes with @FieldSchema`);
  }
  const takesNull = isNullable(type, field) || rules.some((rule) => rule.name === 'isOptional');
  return takesNull ? withNull(schema) : schema;
}

/** Returns the keywords of a validator of class-validator. Validators of our own declare them with @FieldSchema. */
function keywordsOf({ name, constraints = [] }: Rule): JsonSchema {
  const [first, second] = constraints as unknown[];
  switch (name) {
    case 'isString':
      return { type: 'string' };
    case 'isInt':
      return { type: 'integer' };
    case 'isEmail':
      return { type: 'string', format: 'email' };
    case 'isUrl':
      return { type: 'string', format: 'uri' };
    case 'isBoolean':
      return { type: 'boolean' };
    case 'isIn':
      return { type: 'string', enum: first };
    case 'isObject':
      return { type: 'object' };
    case 'isArray':
      return { type: 'array' };
    case 'isNotEmpty':
      return { minLength: 1 };
    case 'minLength':
      return { minLength: first };
    case 'maxLength':
      return { maxLength: first };
    case 'isLength':
      return { minLength: first, maxLength: second };
    case 'matches':
      return { pattern: (first as RegExp).source };
    case 'min':
      return { minimum: first };
    case 'max':
      return { maximum: first };
    case 'arrayMinSize':
      return { minItems: first };
    case 'arrayMaxSize':
      return { maxItems: first };
    case 'arrayUnique':
      return { uniqueItems: true };
    default:
      return {};
  }
}
