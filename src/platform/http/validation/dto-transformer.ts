import type { Type } from '@nestjs/common';
import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';

interface Field {
  readonly name: string;
  readonly read: (value: unknown, body: object) => unknown;
}

const plans = new Map<Type<object>, readonly Field[]>();

/**
 * A DTO from what JSON.parse made of a body. Only fields with a decorator are looked at, by their own name, so unknown
 * fields and keys such as `__proto__` or `constructor` do nothing; free-form objects stay as they came.
 * (`plainToInstance` copies what it does not know, drops such keys from free-form objects and can be made to throw.)
 */
export function toDto(type: Type<object>, plain: object): object {
  const body = new type() as Record<string, unknown>;
  for (const { name, read } of planOf(type)) {
    if (Object.hasOwn(plain, name)) body[name] = read((plain as Record<string, unknown>)[name], plain);
  }
  return body;
}

/** What to do per field, gathered from the decorators of a class once. */
function planOf(type: Type<object>): readonly Field[] {
  let plan = plans.get(type);
  if (!plan) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    plan = [...new Set(rules.map((rule) => rule.propertyName))].map((name) => {
      const longest = rules.find((rule) => rule.propertyName === name && rule.name === 'arrayMaxSize');
      return fieldOf(type, name, (longest?.constraints?.[0] as number | undefined) ?? Infinity);
    });
    plans.set(type, plan);
  }
  return plan;
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

/** What is no object is no body: `@ValidateNested()` refuses it. It would look into a list within a list. */
function readNested(type: Type<object> | undefined, value: unknown): unknown {
  if (!type) return value;
  if (Array.isArray(value))
    return value.map((item) => (Array.isArray(item) ? 'a list' : readNested(type, item)));
  return typeof value === 'object' && value !== null ? toDto(type, value) : value;
}
