import type { Type } from '@nestjs/common';
import type { FieldError } from '../../kernel/errors.js';
import { BodyValidationPipe, MAX_FIELD_ERRORS } from '../../platform/http/validation/body-validation.pipe.js';
import { InvalidRequest } from '../../platform/http/problems/problem.js';
import { toDto } from '../../platform/http/validation/dto-transformer.js';

/** A body with what is wrong with its fields. While there are faults, only what none of them names is as typed. */
export interface ReadFields<Body> {
  readonly body: Body;
  readonly faults: readonly FieldError[];
  /** Is the field, or anything inside it, at fault? */
  readonly isFaulty: (attr: string) => boolean;
}

const pipe = new BodyValidationPipe();

/**
 * For bodies with rules across their fields: the rules are looked at also when a field is wrong, so that one answer
 * names everything (docs/contract.md#errors). Where there are no such rules the global pipe is enough.
 * @throws InvalidRequest when the body is no object
 */
export function readFields<Body extends object>(type: Type<Body>, raw: unknown): ReadFields<Body> {
  try {
    const body = pipe.transform(raw, { type: 'body', metatype: type }) as Body;
    return { body, faults: [], isFaulty: () => false };
  } catch (error) {
    if (!(error instanceof InvalidRequest) || !isObject(raw)) throw error;
    const faults = error.fields;
    // Fields that were not checked, or not reported, may be wrong as well.
    if (faults.length >= MAX_FIELD_ERRORS || faults[0]?.attr === 'non_field_errors') throw error;
    const isFaulty = (attr: string) =>
      faults.some((fault) => fault.attr === attr || fault.attr.startsWith(`${attr}.`));
    return { body: toDto(type, raw) as Body, faults, isFaulty };
  }
}

/** Reports the faults of the fields and those of the rules across them. */
export function refuseFaults({ faults }: ReadFields<unknown>, ofRules: readonly FieldError[]): void {
  const told = new Set(faults.map(({ attr }) => attr));
  const [first, ...rest] = [...faults, ...ofRules.filter(({ attr }) => !told.has(attr))];
  if (first) throw new InvalidRequest(first, ...rest);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
