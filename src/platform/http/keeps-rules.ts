import type { ValidationArguments } from 'class-validator';
import { getMetadataStorage } from 'class-validator';

type Holds = (value: unknown, body: object) => boolean;

/** What is asked of one field; `nested` bodies keep the rules of their own classes. */
interface FieldRules {
  readonly name: string;
  /** The rules below are asked only when these all say so. */
  readonly conditions: readonly Holds[];
  readonly rules: readonly Holds[];
  readonly isNested: boolean;
}

const known = new Map<unknown, readonly FieldRules[]>();

/**
 * Whether a body made by `readBody` keeps every rule of its class, by rules that are gathered once per class.
 * `validateSync` gathers them for every body, and writes a report before it knows whether there is anything to tell: it
 * is asked only where this says no. What this does not know (promises, groups, sets) it says no to.
 */
export function keepsRules(body: object): boolean {
  for (const { name, conditions, rules, isNested } of rulesOf(body.constructor)) {
    const value = (body as Record<string, unknown>)[name];
    if (!conditions.every((holds) => holds(value, body))) continue;
    if (!rules.every((holds) => holds(value, body))) return false;
    if (isNested && value !== undefined && !isOfBodies(value)) return false;
  }
  return true;
}

function isOfBodies(value: unknown): boolean {
  const bodies: readonly unknown[] = Array.isArray(value) ? value : [value];
  return bodies.every(
    (item) => typeof item === 'object' && item !== null && isBody(item) && keepsRules(item),
  );
}

/** An object of a class with rules; lists and what came as it is have none. */
const isBody = (item: object): boolean => !Array.isArray(item) && item.constructor !== Object;

function rulesOf(type: unknown): readonly FieldRules[] {
  let fields = known.get(type);
  if (!fields) {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(type as () => void, '', false, false);
    const names = [...new Set(metadata.map(({ propertyName }) => propertyName))];
    fields = names.map((name) =>
      fieldRules(
        name,
        metadata.filter((rule) => rule.propertyName === name),
      ),
    );
    known.set(type, fields);
  }
  return fields;
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

function fieldRules(name: string, metadata: readonly Metadata[]): FieldRules {
  const of = (type: string): Metadata[] => metadata.filter((rule) => rule.type === type);
  const isKnown = metadata.every(
    ({ type, groups }) => KNOWN_TYPES.has(type) && (groups === undefined || groups.length === 0),
  );
  return {
    name,
    conditions: of('conditionalValidation').map((rule) => {
      const [holds] = rule.constraints as [(body: object, value: unknown) => boolean];
      return (value, body) => holds(body, value);
    }),
    rules: isKnown ? of('customValidation').flatMap(holdsOf) : [() => false],
    isNested: of('nestedValidation').length > 0,
  };
}

const KNOWN_TYPES = new Set(['customValidation', 'nestedValidation', 'conditionalValidation']);

/** A rule of `each` is asked of the entries of a list, and of what is no list itself. */
function holdsOf({ constraintCls, constraints, each, propertyName, validateIf }: Metadata): Holds[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => (value, body) => {
      if (validateIf && !validateIf(body, value)) return true;
      const said: ValidationArguments = {
        targetName: body.constructor.name,
        property: propertyName,
        object: body,
        value,
        constraints,
      };
      const holds = (item: unknown): boolean => instance.validate(item, said) === true;
      return each && Array.isArray(value) ? value.every(holds) : holds(value);
    });
}
