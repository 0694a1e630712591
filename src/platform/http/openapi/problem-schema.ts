import type { FieldErrorCode } from '../../../kernel/errors.js';
import { STATUS_OF } from '../problems/problem.js';
import { integer, listOf, named, oneOf, text, type Schema } from './schema.js';

const CODES = [...Object.keys(STATUS_OF), 'error'];
const FIELD_CODES: readonly FieldErrorCode[] = [
  'required',
  'null',
  'blank',
  'invalid',
  'invalid_choice',
  'min_value',
  'max_value',
  'max_length',
  'does_not_exist',
];

const FIELD_ERROR: Schema<unknown> = named('FieldError', {
  write: (components) => ({
    type: 'object',
    required: ['code', 'detail', 'attr'],
    properties: {
      code: oneOf(FIELD_CODES).write(components),
      detail: text().write(components),
      attr: text({
        description: 'Dotted path of the field; non_field_errors for a rule across fields.',
      }).write(components),
    },
  }),
});

/** RFC 7807, in the shape of docs/contract.md#errors. */
export const PROBLEM: Schema<unknown> = named('Problem', {
  write: (components) => ({
    type: 'object',
    required: ['type', 'title', 'detail', 'status', 'instance'],
    properties: {
      type: text({ format: 'uri', pattern: '#(validation|client|server)-error$' }).write(components),
      title: oneOf(CODES).write(components),
      detail: text({ minLength: 1 }).write(components),
      status: integer({ minimum: 400, maximum: 599 }).write(components),
      instance: text({ description: 'The correlation id, also in X-Request-Id.' }).write(components),
      validation_errors: listOf(FIELD_ERROR, { minItems: 1 }).write(components),
    },
  }),
});
