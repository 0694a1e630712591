import type { ReactNode } from 'react';
import type { Organization } from '../../../clients/typescript/src/index.js';
import { numberOf } from '../shared/number-of.js';

/** Field of a form, whose value is typed as text. */
export interface FormField {
  /** Path in the body, such as `billing_address.city`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isRequired?: boolean;
  readonly isNumber?: boolean;
  /** Values with their names: a choice instead of a text. */
  readonly options?: Readonly<Record<string, string>>;
  /** Any number of the options is chosen; the text has their values, with commas between. */
  readonly isMany?: boolean;
  /** Writes a value that is more than a text; `parse` reads it back. */
  readonly format?: (value: never) => string;
  readonly parse?: (text: string) => unknown;
  /** Takes a row of its own, for a long text. */
  readonly isWide?: boolean;
  /** A picture, typed as a data URL, of at most so many bytes. */
  readonly imageBytes?: number;
}

/** Text of each field as it was typed. */
export type Typed = Readonly<Record<string, string>>;

export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

type TaxIds = Organization['tax_ids'];

/** Tax and company numbers of the organization, or of a customer. */
export const TAX_IDS: FormField = {
  name: 'tax_ids',
  label: 'Tax numbers',
  hint: 'Such as vat DE123456789, tax_number 12/345/67890.',
  isWide: true,
  format: (ids: TaxIds) => ids.map(({ type, value }) => `${type} ${value}`).join(', '),
  parse: (text) =>
    listOf(text).map((part) => {
      const [type = '', ...value] = part.split(' ');
      return { type, value: value.join(' ') };
    }),
};

/** Choice of a customer with a tax rate of 0: it is exempt, or it owes the tax itself. */
export const REVERSE_CHARGE: FormField = {
  name: 'reverse_charge',
  label: 'Reverse charge',
  hint: 'Needs a tax rate of 0 and a VAT number.',
  options: { false: 'No', true: 'Yes, the customer owes the tax' },
  parse: (text) => text === 'true',
};

/** Returns the fields of an address, each with the path of the address before its name. */
export const addressFields = (path: string): readonly FormField[] => [
  { name: `${path}.line1`, label: 'Street' },
  { name: `${path}.line2`, label: 'Street, second line' },
  { name: `${path}.postal_code`, label: 'Postal code' },
  { name: `${path}.city`, label: 'City' },
  { name: `${path}.state`, label: 'State' },
  { name: `${path}.country`, label: 'Country', hint: 'Two letters, such as DE.' },
];

const valueAt = (from: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | null)?.[part], from);

/** Returns the values of a resource as text, by the names of the fields. */
export const typedOf = (fields: readonly FormField[], resource: object): Typed =>
  Object.fromEntries(
    fields.map(({ name, format = String }) => {
      const value = valueAt(resource, name) ?? undefined;
      return [name, value === undefined ? '' : format(value as never)];
    }),
  );

export const changedFields = (
  fields: readonly FormField[],
  before: Typed,
  typed: Typed,
): readonly FormField[] =>
  fields.filter(({ name }) => (before[name] ?? '').trim() !== (typed[name] ?? '').trim());

/** Returns the text of a field; of a choice the first one, until another is made. */
export function textOf({ name, options, isMany = false }: FormField, typed: Typed): string {
  const text = typed[name] ?? '';
  return options === undefined || isMany || text in options ? text : (Object.keys(options)[0] ?? '');
}

/** Returns the value of a field; null: nothing was typed. */
function valueOf(field: FormField, typed: Typed): unknown {
  const text = textOf(field, typed).trim();
  if (field.parse) return field.parse(text);
  if (text === '') return null;
  return field.isNumber ? numberOf(text) : text;
}

/** Returns a body with the values of these fields. */
export function bodyOf(fields: readonly FormField[], typed: Typed): object {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const path = field.name.split('.');
    const last = path.pop()!;
    let place = body;
    for (const part of path) place = (place[part] ??= {}) as Record<string, unknown>;
    place[last] = valueOf(field, typed);
  }
  return body;
}

export const isFilledIn = (field: FormField, typed: Typed): boolean => textOf(field, typed).trim() !== '';

/** Returns the body of a change. A value of several parts, such as an address, is sent whole. */
export function changeBodyOf(
  fields: readonly FormField[],
  changed: readonly FormField[],
  typed: Typed,
): object {
  const roots = new Set(changed.map(({ name }) => name.split('.')[0]));
  return bodyOf(
    fields.filter(({ name }) => roots.has(name.split('.')[0])),
    typed,
  );
}

/** Properties of the control of a field. */
export interface ControlProps {
  readonly field: FormField;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}
