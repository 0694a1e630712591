import type { getMetadataStorage } from 'class-validator';

/** A constraint of a field, as its decorator registered it. */
export type Constraint = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** Constraint of a nested body, or of an entry of a list of them. */
export const NESTED = 'nestedValidation';
export const NOT_NESTED = 'This is not an object. Send an object of named fields.';

type Sentence = (isList: boolean, limits: readonly unknown[]) => string;

const count = (limit: unknown): string => Number(limit).toLocaleString('en');

/**
 * Says of the constraints of class-validator what is wrong, then what to send; `isList` is for constraints of the entries
 * of a list. Validators of our own bring their sentences.
 */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  isString: (isList) =>
    isList ? 'This is not a list of texts. Send one such as ["a", "b"].' : 'This is not text. Send a string.',
  isObject: (isList) => (isList ? 'This is not a list of objects. Send one such as [{…}].' : NOT_NESTED),
  isArray: () => 'This is not a list. Send a list.',
  isIn: (isList, [choices]) =>
    `${isList ? 'An entry of the list' : 'This'} is not one of the choices. Choose from: ${(choices as string[]).join(', ')}.`,
  isEmail: () => 'This is not an e-mail address. Send one such as name@example.com.',
  isNotEmpty: (isList) =>
    `${isList ? 'An entry of the list' : 'The text'} is blank. Send at least one character.`,
  maxLength: (isList, [most]) =>
    `${isList ? 'An entry of the list' : 'The text'} is too long. Send at most ${count(most)} characters.`,
  isLength: (_, [least, most]) => `Send text of ${count(least)} to ${count(most)} characters.`,
  arrayMaxSize: (_, [most]) => `The list is too long. Send at most ${count(most)} entries.`,
  arrayMinSize: (_, [least]) => `The list is too short. Send at least ${count(least)} entries.`,
  arrayNotEmpty: () => 'The list is empty. Send at least one entry.',
  arrayUnique: () => 'An entry of the list is a repeat. Send each entry once.',
};

/** Returns the sentence of a constraint: that of its decorator, else ours; undefined for a validator that brings its own. */
export function sentenceOf({ name, type, message, each, constraints }: Constraint): string | undefined {
  if (typeof message === 'string') return message;
  return SENTENCES[name ?? type]?.(Boolean(each), (constraints ?? []) as unknown[]);
}
