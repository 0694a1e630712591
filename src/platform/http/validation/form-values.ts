import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { fieldSchemaOf } from '../openapi/field-schema.js';
import { readFlag } from './flag-text.js';
import { isNullable } from './validators.js';

interface Field {
  readonly name: string;
  readonly nested: Type<object> | undefined;
  readonly isList: boolean;
  readonly isFlag: boolean;
  /** True if an empty text means null. */
  readonly isEmptyNull: boolean;
}

const fieldsByType = new Map<Type<object>, readonly Field[]>();

/**
 * Converts the texts of a form to the values that a JSON body would have (docs/contract.md#paths-and-bodies). Text that
 * has no such value stays for the pipe to refuse. @param type class that reads the body
 */
export function valuesOfForm(type: Type<object>, form: object): object {
  const values = { ...form } as Record<string, unknown>;
  for (const field of fieldsOf(type)) {
    if (Object.hasOwn(values, field.name)) values[field.name] = valueOf(field, values[field.name]);
  }
  return values;
}

function valueOf({ nested, isList, isFlag, isEmptyNull }: Field, sent: unknown): unknown {
  if (sent === '' && isEmptyNull) return null;
  if (isFlag) return typeof sent === 'string' ? (readFlag(sent) ?? sent) : sent;
  const value = isList && typeof sent === 'string' ? [sent] : sent;
  return nested ? valueOfNested(nested, value) : value;
}

function valueOfNested(type: Type<object>, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => valueOfEntry(type, entry));
  return valueOfEntry(type, value);
}

const valueOfEntry = (type: Type<object>, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? valuesOfForm(type, value) : value;

function fieldsOf(type: Type<object>): readonly Field[] {
  let fields = fieldsByType.get(type);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    fields = [...new Set(rules.map(({ propertyName }) => propertyName))].map((name) => {
      const has = (...rule: string[]) =>
        rules.some((one) => one.propertyName === name && !one.each && rule.includes(one.name ?? ''));
      return {
        name,
        nested: defaultMetadataStorage.findTypeMetadata(type, name)?.typeFunction?.() as
          | Type<object>
          | undefined,
        isList: has('isArray'),
        isFlag: fieldSchemaOf(type, name)?.['type'] === 'boolean',
        isEmptyNull: isNullable(type, name) && !has('isString', 'isEmail'),
      };
    });
    fieldsByType.set(type, fields);
  }
  return fields;
}
