import type { ValidationError } from 'class-validator';
import type { FieldError, FieldErrorCode } from '../../../kernel/errors.js';

/** Our validators are named by their code; these are the library's. What is not here is `invalid`. */
const CODES: Readonly<Record<string, FieldErrorCode>> = {
  invalid_choice: 'invalid_choice',
  does_not_exist: 'does_not_exist',
  min_value: 'min_value',
  max_value: 'max_value',
  isIn: 'invalid_choice',
  isEnum: 'invalid_choice',
  min: 'min_value',
  isPositive: 'min_value',
  max: 'max_value',
  maxLength: 'max_length',
  arrayMaxSize: 'max_length',
};

/** A field that breaks several rules is reported by the first of these: a number that is no number has no bounds. */
const MOST_TELLING: readonly FieldErrorCode[] = [
  'invalid',
  'does_not_exist',
  'invalid_choice',
  'max_length',
  'min_value',
  'max_value',
];

const REFUSES_BLANK = new Set(['isNotEmpty', 'minLength', 'length', 'isLength']);

/** Every wrong field with its dotted path, one error each. */
export function toFieldErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const attr = `${parent}${error.property}`;
    const own = error.constraints ? [ofField(attr, error.value, error.constraints)] : [];
    return [...own, ...toFieldErrors(error.children ?? [], `${attr}.`)];
  });
}

function ofField(attr: string, value: unknown, broken: Readonly<Record<string, string>>): FieldError {
  if (value === undefined) return { code: 'required', detail: 'This field is required.', attr };
  if (value === null) return { code: 'null', detail: 'This field may not be null.', attr };
  if (value === '' && Object.keys(broken).some((name) => REFUSES_BLANK.has(name))) {
    return { code: 'blank', detail: 'This field may not be blank.', attr };
  }
  const [code, message] = Object.entries(broken)
    .map(([name, text]) => [codeOf(name, value), text] as const)
    .sort(([a], [b]) => MOST_TELLING.indexOf(a) - MOST_TELLING.indexOf(b))[0]!;
  return { code, detail: message.endsWith('.') ? message : `${message}.`, attr };
}

function codeOf(constraint: string, value: unknown): FieldErrorCode {
  // `@Length(1, 200)` speaks of both ends; what is blank was told before.
  if (constraint === 'isLength') return typeof value === 'string' && value !== '' ? 'max_length' : 'invalid';
  return Object.hasOwn(CODES, constraint) ? CODES[constraint]! : 'invalid';
}
