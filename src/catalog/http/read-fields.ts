import type { Type } from '@nestjs/common';
import type { FieldError } from '../../kernel/errors.js';
import {
  BodyValidationPipe,
  MAX_FIELD_ERRORS,
  toDto,
} from '../../platform/http/validation/body-validation.pipe.js';
import { InvalidRequest } from '../../platform/http/problems/problem.js';

/** A body with the faults of its fields. A field has its declared type only if no fault names it. */
export interface ReadFields<Body> {
  readonly body: Body;
  readonly faults: readonly FieldError[];
  /** Returns whether a fault names the field or a part of it. */
  readonly isFaulty: (attr: string) => boolean;
}

const pipe = new BodyValidationPipe();

/**
 * Reads a body that has rules across its fields. The rules are checked even when a field is wrong, so one answer names
 * all faults (docs/contract.md#errors). Other bodies use the global validation pipe.
 * @throws InvalidRequest when the body is no object
 */
export function readFields<Body extends object>(type: Type<Body>, raw: unknown): ReadFields<Body> {
  try {
    const body = pipe.transform(raw, { type: 'body', metatype: type }) as Body;
    return { body, faults: [], isFaulty: () => false };
  } catch (error) {
    if (!(error instanceof InvalidRequest) || !isObject(raw)) throw error;
    const faults = error.fields;
    // Fields that were not checked or not reported can be wrong as well.
    if (faults.length >= MAX_FIELD_ERRORS || faults[0]?.attr === 'non_field_errors') throw error;
    const isFaulty = (attr: string) =>
      faults.some((fault) => fault.attr === attr || fault.attr.startsWith(`${attr}.`));
    return { body: toDto(type, raw) as Body, faults, isFaulty };
  }
}

/** Refuses faults of fields and of rules across fields. */
export function refuseFaults({ faults }: ReadFields<unknown>, ofRules: readonly FieldError[]): void {
  const told = new Set(faults.map(({ attr }) => attr));
  const [first, ...rest] = [...faults, ...ofRules.filter(({ attr }) => !told.has(attr))];
  if (first) throw new InvalidRequest(first, ...rest);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
