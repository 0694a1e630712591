import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';

/** Kind of a resource, as modules register it. */
export type ReferenceKind = string;

/** Resource that a request names in its query or body. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly text: string;
  /** Dotted path of the field. */
  readonly attr: string;
}

const KEY = 'recount:reference';

/** Marks a field of a body that names an existing resource, or a list of them. */
export const ReferenceTo =
  (kind: ReferenceKind): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(KEY, kind, target, property);

interface Field {
  readonly name: string;
  readonly kind: ReferenceKind | undefined;
  readonly nested: Type<object> | undefined;
}

const fieldsByType = new Map<Type<object>, readonly Field[]>();

/** Lists the references of a body as it was sent. @param type class that reads the body */
export function referencesOfBody(type: Type<object>, sent: unknown, parent = ''): Reference[] {
  if (typeof sent !== 'object' || sent === null) return [];
  const values = sent as Readonly<Record<string, unknown>>;
  return fieldsOf(type).flatMap(({ name, kind, nested }) => {
    if (!Object.hasOwn(values, name)) return [];
    const value = values[name];
    const places = Array.isArray(value)
      ? value.map((item: unknown, index) => ({ item, attr: `${parent}${name}.${index}` }))
      : [{ item: value, attr: `${parent}${name}` }];
    return places.flatMap(({ item, attr }) => {
      if (nested) return referencesOfBody(nested, item, `${attr}.`);
      return kind && typeof item === 'string' && item !== '' ? [{ kind, text: item, attr }] : [];
    });
  });
}

/** Returns the fields that name a resource or hold a body of their own. */
function fieldsOf(type: Type<object>): readonly Field[] {
  let fields = fieldsByType.get(type);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    fields = [...new Set(rules.map(({ propertyName }) => propertyName))]
      .map((name) => ({
        name,
        kind: Reflect.getMetadata(KEY, type.prototype as object, name) as ReferenceKind | undefined,
        nested: defaultMetadataStorage.findTypeMetadata(type, name)?.typeFunction?.() as
          | Type<object>
          | undefined,
      }))
      .filter(({ kind, nested }) => kind !== undefined || nested !== undefined);
    fieldsByType.set(type, fields);
  }
  return fields;
}
