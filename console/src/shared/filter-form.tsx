import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../../../clients/typescript/src/errors.js';
import { Button } from './button.js';
import { Field, Options, SelectInput, TextInput } from './field.js';
import styles from './filter-form.module.css';
import { useIsNarrow } from './use-is-narrow.js';

export interface FilterField {
  /** Name in the address, and in refusals of the service. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'text' | 'date';
  /** Possible values with their labels; without them the reader types. */
  readonly options?: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, string | undefined>>;

interface FilterFormProps {
  readonly fields: readonly FilterField[];
  /** Filters of the address. */
  readonly values: Values;
  readonly onFilter: (values: Values) => void;
  /** The field of a refused value shows the refusal. */
  readonly error: unknown;
}

/** Filters of a list. The address holds them, so a filtered list can be linked. */
export function FilterForm({ fields, values, onFilter, error }: FilterFormProps) {
  const [typed, setTyped] = useState(values);
  const [read, setRead] = useState(textOf(fields, values));
  // The browser's Back button changes the address only.
  if (textOf(fields, values) !== read) {
    setRead(textOf(fields, values));
    setTyped(values);
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onFilter(Object.fromEntries(fields.map(({ name }) => [name, typed[name]?.trim() || undefined])));
  };
  const clear = (): void => onFilter(Object.fromEntries(fields.map(({ name }) => [name, undefined])));
  const isNarrow = useIsNarrow();
  const refusal = fields.some(({ name }) => refusalOf(name, error) !== undefined);
  const count = fields.filter(({ name }) => values[name] !== undefined).length;
  const form = (
    <form className={styles.form} role="search" aria-label="Filters" onSubmit={submit}>
      {fields.map(({ name, label, hint, type = 'text', options }) => {
        const control = {
          name,
          value: typed[name] ?? '',
          onChange: ({ target }: { target: { value: string } }) =>
            setTyped((now) => ({ ...now, [name]: target.value })),
        };
        return (
          <Field key={name} label={label} hint={hint} error={refusalOf(name, error)}>
            {options ? (
              <SelectInput {...control}>
                <option value="">any</option>
                <Options of={options} />
              </SelectInput>
            ) : (
              <TextInput type={type} autoComplete="off" spellCheck={false} {...control} />
            )}
          </Field>
        );
      })}
      <div className={styles.buttons}>
        <Button type="submit">Filter</Button>
        {fields.some(({ name }) => values[name] !== undefined) && (
          <Button look="quiet" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
    </form>
  );
  if (!isNarrow) return form;
  return (
    <details className={styles.disclosure} open={refusal}>
      <summary>{count === 0 ? 'Filters' : `Filters (${count})`}</summary>
      {form}
    </details>
  );
}

const textOf = (fields: readonly FilterField[], values: Values): string =>
  JSON.stringify(fields.map(({ name }) => values[name]));

/** Sentence of the service about this filter. */
export function refusalOf(name: string, error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.validationErrors.find(({ attr }) => attr === name)?.detail;
}
