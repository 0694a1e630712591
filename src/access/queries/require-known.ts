import { invalidFields, type FieldError } from '../../kernel/errors.js';

/**
 * Returns the customer and the thing that a question about access names.
 * @throws DomainError `does_not_exist` naming each that there is not
 */
export function requireKnown<Customer, Thing>(
  customer: Customer | undefined,
  thing: Thing | undefined,
  name: 'feature' | 'metric',
): [Customer, Thing] {
  if (customer !== undefined && thing !== undefined) return [customer, thing];
  const unknown = [
    ...(customer === undefined ? [doesNotExist('customer')] : []),
    ...(thing === undefined ? [doesNotExist(name)] : []),
  ];
  throw invalidFields(unknown[0]!, ...unknown.slice(1));
}

const doesNotExist = (what: string): FieldError => ({
  code: 'does_not_exist',
  detail: `There is no ${what} with the id given.`,
  attr: `${what}_id`,
});
