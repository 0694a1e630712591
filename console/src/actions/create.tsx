import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { useWrongField } from '../shared/use-wrong-field.js';
import { ActionButton, type DialogProps } from './action-button.js';
import styles from './action-dialog.module.css';
import { bodyOf, isFilledIn, type FormField, type Typed } from './form-field.js';
import { FormButtons, FormDone, FormFields } from './form-fields.js';
import { FormNotice } from './form-notice.js';
import type { FormShape } from './form-search.js';
import { useFormValues } from './use-form-values.js';

export interface CreateProps<Body, Made> {
  readonly label: string;
  readonly look?: 'plain' | 'primary';
  readonly isForAdmins?: boolean;
  /** Fields that are shown beside these values. */
  readonly fields: (values: Typed) => readonly FormField[];
  readonly initial?: Typed;
  /** Values that an address has; undefined: none, as they may be personal or secret. */
  readonly shape?: FormShape<Typed>;
  /** Sends the fields that are filled in; a second press with the same values creates nothing. */
  readonly create: (body: Body, options: { readonly idempotencyKey: string }) => Promise<Made>;
  /** Says what was made, and what comes next. */
  readonly made: (made: Made) => ReactNode;
}

/** Button that opens a form for something new. */
export const Create = <Body, Made>(props: CreateProps<Body, Made>) => (
  <ActionButton
    label={props.label}
    title={props.label}
    look={props.look}
    isForAdmins={props.isForAdmins ?? false}
  >
    {(dialog) => <CreateForm {...props} {...dialog} />}
  </ActionButton>
);

function CreateForm<Body, Made>(props: CreateProps<Body, Made> & DialogProps) {
  const { fields, initial = {}, create, made, label, onChanged, onClose } = props;
  const form = useFormValues({ shape: props.shape ?? {}, beginning: initial });
  const typed = form.values;
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID());
  const shown = fields(typed);
  const sent = useMutation({
    mutationFn: () =>
      create(
        bodyOf(
          shown.filter((field) => isFilledIn(field, typed)),
          typed,
        ) as Body,
        { idempotencyKey },
      ),
    onSuccess: () => {
      form.forget();
      onChanged();
    },
  });
  const wrongField = useWrongField(sent.error);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    sent.mutate();
  };
  if (sent.data !== undefined) return <FormDone onClose={onClose}>{made(sent.data)}</FormDone>;
  return (
    <form ref={wrongField} className={styles.form} onSubmit={submit}>
      <FormNotice {...form.notice} />
      <FormFields
        fields={shown}
        typed={typed}
        onChange={(part) => {
          form.change(part);
          setKey(crypto.randomUUID());
        }}
        error={sent.error}
      />
      <FormButtons label={label.replace('New', 'Create')} isBusy={sent.isPending} onClose={onClose} />
    </form>
  );
}
