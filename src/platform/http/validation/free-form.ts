import { ValidateBy } from 'class-validator';
import { FieldSchema } from '../openapi/field-schema.js';

/** It travels in events, more than one of which have to fit into an append. */
const MAX_LENGTH = 64 * 1024;
/** Deeper than anybody writes by hand, and shallow enough for everything that walks it. */
const MAX_DEPTH = 32;

/** A free-form key/value object: stored and given back as it came. */
export const IsFreeForm = (): PropertyDecorator => (target, property) => {
  FieldSchema({ type: 'object', additionalProperties: true })(target, property);
  const rules = [
    ['isObject', isObject, 'Give an object of keys and values.'],
    ['isShallow', isShallow, `The object is nested deeper than ${MAX_DEPTH} levels.`],
    ['maxLength', isShort, `The object is longer than ${MAX_LENGTH} characters of JSON.`],
  ] as const;
  for (const [name, validate, sentence] of rules) {
    const rule = ValidateBy({ name, validator: { validate, defaultMessage: () => sentence } });
    rule(target, property as string);
  }
};

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isShort = (value: unknown): boolean => !isShallow(value) || JSON.stringify(value).length <= MAX_LENGTH;

/** Level by level, as what is nested too deep must not be walked by recursion. */
function isShallow(value: unknown): boolean {
  let level = [value].filter(isNesting);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) return false;
    level = level.flatMap((nesting) => Object.values(nesting)).filter(isNesting);
  }
  return true;
}

const isNesting = (value: unknown): value is object => typeof value === 'object' && value !== null;
