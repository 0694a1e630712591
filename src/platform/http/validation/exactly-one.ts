import 'reflect-metadata';
import type { FieldError } from '../../../kernel/errors.js';

const RULE = Symbol('fields of which a body has exactly one');

/** A body has one of two fields, and not both; a null is as if the field were left out. */
export const ExactlyOne =
  (one: string, other: string): ClassDecorator =>
  (type) =>
    Reflect.defineMetadata(RULE, [one, other], type);

/** What is wrong with the fields of a body together. */
export function crossFieldErrors(type: object, body: object): FieldError[] {
  const names = Reflect.getMetadata(RULE, type) as readonly [string, string] | undefined;
  if (!names) return [];
  const isGiven = (name: string): boolean => {
    const value = (body as Record<string, unknown>)[name];
    return value !== undefined && value !== null;
  };
  const given = names.filter(isGiven).length;
  if (given === 1) return [];
  return [
    given === 0
      ? { code: 'required', detail: `Give ${names.join(' or ')}.`, attr: 'non_field_errors' }
      : { code: 'invalid', detail: `Give ${names.join(' or ')}, not both.`, attr: 'non_field_errors' },
  ];
}
