import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { validateSync, type ValidatorOptions } from 'class-validator';
import { crossFieldErrors, isNullable } from './validators.js';
import { InvalidRequest } from '../problems/problem.js';
import { toDto } from './dto-transformer.js';
import { toFieldErrors } from './validation-report.js';

const OPTIONS: ValidatorOptions = {
  // A class without rules takes any object: it asks for nothing.
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
    const faults = [...toFieldErrors(validateSync(body, OPTIONS)), ...crossFieldErrors(metatype, body)];
    const [first, ...rest] = faults.slice(0, MAX_FIELD_ERRORS);
    if (first) throw new InvalidRequest(first, ...rest);
    dropNulls(body);
    return body;
  }
}

/** A null that passed belongs to an optional field: it is as if the field were left out, unless it has a meaning. */
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

/** Free-form objects keep their nulls; their prototype tells them apart, as their keys are anybody's. */
function isBody(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null;
}
