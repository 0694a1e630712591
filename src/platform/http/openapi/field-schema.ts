import 'reflect-metadata';
import type { JsonSchema } from './schema.js';

const KEY = 'recount:field-schema';

/** Declares the schema of a body's field where its validators do not imply it. */
export const FieldSchema =
  (schema: JsonSchema): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(KEY, schema, target, property);

export const fieldSchemaOf = (
  type: { readonly prototype: object },
  property: string,
): JsonSchema | undefined => Reflect.getMetadata(KEY, type.prototype, property) as JsonSchema | undefined;
