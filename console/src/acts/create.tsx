import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { ApiError } from '../../../clients/typescript/src/errors.js';
import { Button } from '../shared/button.js';
import { Field, SelectInput, TextInput } from '../shared/field.js';
import { numberOf } from '../shared/number-of.js';
import { Problem } from '../shared/problem.js';
import { ActButton, type DialogProps } from './act-button.js';
import styles from './act-dialog.module.css';

/** Field of a form that creates something. */
export interface CreateField {
  /** Path in the body, such as `billing_address.city`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isRequired?: boolean;
  readonly isNumber?: boolean;
  /** Values with their names: a choice instead of a text. */
  readonly options?: Readonly<Record<string, string>>;
}

/** Text of each field as it was typed. */
export type Typed = Readonly<Record<string, string>>;

export interface CreateProps<Body, Made> {
  readonly label: string;
  readonly look?: 'plain' | 'primary';
  readonly isForAdmins?: boolean;
  /** Fields that are shown beside these values. */
  readonly fields: (values: Typed) => readonly CreateField[];
  readonly initial?: Typed;
  /** Sends the fields that are filled in; a second press with the same values creates nothing. */
  readonly create: (body: Body, options: { readonly idempotencyKey: string }) => Promise<Made>;
  /** Says what was made, and what comes next. */
  readonly made: (made: Made) => ReactNode;
}

/** Button that opens a form for something new. */
export const Create = <Body, Made>(props: CreateProps<Body, Made>) => (
  <ActButton
    label={props.label}
    title={props.label}
    look={props.look}
    isForAdmins={props.isForAdmins ?? false}
  >
    {(dialog) => <CreateForm {...props} {...dialog} />}
  </ActButton>
);

function CreateForm<Body, Made>(props: CreateProps<Body, Made> & DialogProps) {
  const { fields, initial = {}, create, made, label, onActed, onClose } = props;
  const [values, setValues] = useState(initial);
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID());
  const shown = fields(values);
  const sent = useMutation({
    mutationFn: () => create(bodyOf(shown, values) as Body, { idempotencyKey }),
    onSuccess: onActed,
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    sent.mutate();
  };
  if (sent.data !== undefined)
    return (
      <div className={styles.form}>
        <div role="status">{made(sent.data)}</div>
        <div className={styles.buttons}>
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    );
  const errors = sent.error instanceof ApiError ? sent.error.validationErrors : [];
  const errorOf = ({ name }: CreateField): string | undefined =>
    errors.find(({ attr }) => attr === name || attr.startsWith(`${name}.`))?.detail;
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.fields}>
        {shown.map((field) => (
          <Field key={field.name} label={field.label} hint={field.hint} error={errorOf(field)}>
            <CreateInput
              field={field}
              value={valueOf(field, values)}
              onChange={(value) => {
                setValues((now) => ({ ...now, [field.name]: value }));
                setKey(crypto.randomUUID());
              }}
            />
          </Field>
        ))}
      </div>
      {sent.error && !shown.some((field) => errorOf(field) !== undefined) && <Problem error={sent.error} />}
      <div className={styles.buttons}>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" look="primary" isBusy={sent.isPending}>
          {label.replace('New', 'Create')}
        </Button>
      </div>
    </form>
  );
}

interface InputProps {
  readonly field: CreateField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Input of a field: a text, or a choice. */
export function CreateInput({ field, value, onChange }: InputProps) {
  const { isRequired = false, isNumber = false, options } = field;
  if (options === undefined)
    return (
      <TextInput
        required={isRequired}
        inputMode={isNumber ? 'decimal' : 'text'}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <SelectInput required={isRequired} value={value} onChange={({ target }) => onChange(target.value)}>
      {Object.entries(options).map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </SelectInput>
  );
}

/** Returns the text of a field; of a choice the first one, until another is made. */
function valueOf({ name, options }: CreateField, values: Typed): string {
  const value = values[name] ?? '';
  return options === undefined || value in options ? value : (Object.keys(options)[0] ?? '');
}

/** Body of the fields that are filled in. */
function bodyOf(fields: readonly CreateField[], values: Typed): object {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const text = valueOf(field, values).trim();
    if (text === '') continue;
    const path = field.name.split('.');
    const last = path.pop()!;
    let place = body;
    for (const part of path) place = (place[part] ??= {}) as Record<string, unknown>;
    place[last] = field.isNumber ? numberOf(text) : text;
  }
  return body;
}
