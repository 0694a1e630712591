import type { Type } from '@nestjs/common';
import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';

interface Field {
  readonly name: string;
  readonly read: (value: unknown, body: object) => unknown;
}

const readersByType = new Map<Type<object>, readonly Field[]>();

/**
 * Creates a DTO from the parsed JSON of a body. Only fields with a decorator are read, so unknown fields and keys such as
 * `__proto__` or `constructor` have no effect; free-form objects stay as they are. `plainToInstance` of class-transformer
 * does not serve: it copies unknown fields, drops such keys from free-form objects, and throws for some bodies.
 */
export function toDto(type: Type<object>, plain: object): object {
  const body = new type() as Record<string, unknown>;
  for (const { name, read } of readersOf(type)) {
    if (Object.hasOwn(plain, name)) body[name] = read((plain as Record<string, unknown>)[name], plain);
  }
  return body;
}

/** Returns the readers of a class's fields, built from its decorators once. */
function readersOf(type: Type<object>): readonly Field[] {
  let readers = readersByType.get(type);
  if (!readers) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    readers = [...new Set(rules.map((rule) => rule.propertyName))].map((name) => {
      const longest = rules.find((rule) => rule.propertyName === name && rule.name === 'arrayMaxSize');
      return fieldOf(type, name, (longest?.constraints?.[0] as number | undefined) ?? Infinity);
    });
    readersByType.set(type, readers);
  }
  return readers;
}

/** @param longest how many entries the field takes; one more is enough to see that there are too many */
function fieldOf(type: Type<object>, name: string, longest: number): Field {
  const nested = defaultMetadataStorage.findTypeMetadata(type, name)?.typeFunction?.() as
    Type<object> | undefined;
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
 * Transforms nested bodies. Values that are no objects stay, and `@ValidateNested()` refuses them.
 * A list within a list becomes a text:
 * `@ValidateNested()` would accept it.
 */
function readNested(type: Type<object> | undefined, value: unknown): unknown {
  if (!type) return value;
  if (Array.isArray(value))
    return value.map((item) => (Array.isArray(item) ? 'a list' : readNested(type, item)));
  return typeof value === 'object' && value !== null ? toDto(type, value) : value;
}
