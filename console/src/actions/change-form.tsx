import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { useWrongField } from '../shared/use-wrong-field.js';
import type { DialogProps } from './action-button.js';
import styles from './action-dialog.module.css';
import { changeBodyOf, changedFields, typedOf, type FormField, type Typed } from './form-field.js';
import { FormButtons, FormDone, FormFields, PreviewStatus } from './form-fields.js';
import { PreviewView } from './preview-view.js';

interface ChangeFormProps extends DialogProps {
  readonly fields: readonly FormField[];
  /** Values as they are, by the paths of the fields. */
  readonly resource: object;
  readonly label: string;
  readonly save: (body: object) => Promise<unknown>;
  /** Sentence in the past tense. */
  readonly done: string;
}

/** Form that changes a resource: first what changes, then the change. */
export function ChangeForm({ fields, resource, label, save, done, onChanged, onClose }: ChangeFormProps) {
  const [before] = useState(() => typedOf(fields, resource));
  const [typed, setTyped] = useState(before);
  const [isPreviewed, setPreviewed] = useState(false);
  const changed = changedFields(fields, before, typed);
  const saved = useMutation({
    mutationFn: () => save(changeBodyOf(fields, changed, typed)),
    onSuccess: onChanged,
  });
  const wrongField = useWrongField(saved.error);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isPreviewed) saved.mutate();
    else setPreviewed(true);
  };
  if (saved.isSuccess)
    return (
      <FormDone onClose={onClose}>
        <p>{done}</p>
      </FormDone>
    );
  return (
    <form ref={wrongField} className={styles.form} onSubmit={submit}>
      <PreviewStatus isShown={isPreviewed && changed.length > 0} />
      <FormFields
        fields={fields}
        typed={typed}
        onChange={(part) => {
          setTyped((now) => ({ ...now, ...part }));
          setPreviewed(false);
        }}
        error={saved.error}
      >
        {isPreviewed && changed.length === 0 && <p role="status">Nothing has changed.</p>}
        {isPreviewed && changed.length > 0 && (
          <PreviewView
            preview={{ changes: changed.map((field) => changeOf(field, before, typed)) }}
            zone="UTC"
          />
        )}
      </FormFields>
      <FormButtons
        label={isPreviewed ? label : 'Preview'}
        isBusy={saved.isPending}
        isDisabled={isPreviewed && changed.length === 0}
        onClose={onClose}
      />
    </form>
  );
}

function changeOf({ name, label, options, imageBytes }: FormField, before: Typed, typed: Typed) {
  const shown = (text = ''): string => (text.trim() === '' ? 'none' : (options?.[text] ?? text));
  const then = shown(typed[name]);
  return {
    name: label,
    now: shown(before[name]),
    then: imageBytes !== undefined && then !== 'none' ? 'the chosen image' : then,
  };
}
