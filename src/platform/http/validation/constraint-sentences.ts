import { getMetadataStorage, type ValidationArguments } from 'class-validator';

/** A constraint of a field, as its decorator registered it. */
export type Constraint = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** Constraint of a nested body, or of an entry of a list of them. */
export const NESTED = 'nestedValidation';
export const NOT_NESTED = 'This is not an object. Send an object of named fields.';

type Sentence = (limits: readonly unknown[]) => string;

const count = (limit: unknown): string => Number(limit).toLocaleString('en');

/** Says of the constraints of class-validator what is wrong, then what to send. Validators of our own bring their sentences. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  isString: () => 'This is not text. Send a string.',
  isObject: () => NOT_NESTED,
  isArray: () => 'This is not a list. Send a list.',
  isIn: ([choices]) => `This is not one of the choices. Choose from: ${(choices as string[]).join(', ')}.`,
  isEmail: () => 'This is not an e-mail address. Send one such as name@example.com.',
  isNotEmpty: () => 'The text is blank. Send at least one character.',
  maxLength: ([most]) => `The text is too long. Send at most ${count(most)} characters.`,
  isLength: ([least, most]) => `Send text of ${count(least)} to ${count(most)} characters.`,
  arrayMaxSize: ([most]) => `The list is too long. Send at most ${count(most)} entries.`,
  arrayMinSize: ([least]) => `The list is too short. Send at least ${count(least)} entries.`,
  arrayNotEmpty: () => 'The list is empty. Send at least one entry.',
  arrayUnique: () => 'An entry of the list is a repeat. Send each entry once.',
};

/** Returns the sentence of a constraint: that of its decorator, else ours; undefined for a validator that brings its own. */
export function sentenceOf({ name, type, message, constraints }: Constraint): string | undefined {
  if (typeof message === 'string') return message;
  return SENTENCES[name ?? type]?.((constraints ?? []) as unknown[]);
}

/** Returns whether a value satisfies a constraint. */
export function isKeptBy(value: unknown, { constraintCls, constraints }: Constraint): boolean {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .every(
      ({ instance }) => instance.validate(value, { value, constraints } as ValidationArguments) === true,
    );
}
