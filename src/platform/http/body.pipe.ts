import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { validateSync, type ValidatorOptions } from 'class-validator';
import { InvalidRequest } from './invalid-request.js';
import { readBody } from './read-body.js';
import { toFieldErrors } from './validation-report.js';
import { isNullable } from './validators.js';

const OPTIONS: ValidatorOptions = {
  // A class without rules takes any object: it asks for nothing.
  forbidUnknownValues: false,
};

/** Lists within lists could hold a hundred thousand bodies, whose rules take seconds to look at. */
const MOST_OBJECTS = 20_000;
/** Nobody reads on further. */
export const MOST_FAULTS = 1_000;

/**
 * Makes the DTO of a body, or reports everything that is wrong with it; unknown fields are ignored, as the clients rely
 * on it (api-completed.md section 1). Other parameters pass.
 */
export class BodyPipe implements PipeTransform {
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
    if (holdsMoreObjectsThan(MOST_OBJECTS, plain)) {
      const detail = `The body holds more than ${MOST_OBJECTS.toLocaleString('en')} objects.`;
      throw new InvalidRequest({ code: 'max_length', detail, attr: 'non_field_errors' });
    }
    const body = readBody(metatype as Type<object>, plain);
    const [first, ...rest] = toFieldErrors(validateSync(body, OPTIONS)).slice(0, MOST_FAULTS);
    if (first) throw new InvalidRequest(first, ...rest);
    dropNulls(body);
    return body;
  }
}

/** Without recursion: a body may be nested deeper than the stack is. */
function holdsMoreObjectsThan(most: number, plain: object): boolean {
  const left: unknown[] = [plain];
  for (let seen = 0; left.length > 0;) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value) && (seen += 1) > most) return true;
    for (const member of Object.values(value)) if (typeof member === 'object') left.push(member);
  }
  return false;
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
