import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../../../clients/typescript/src/errors.js';
import type { Organization } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Button } from '../shared/button.js';
import { Field } from '../shared/field.js';
import { Problem } from '../shared/problem.js';
import { ActButton, type DialogProps } from './act-button.js';
import styles from './act-dialog.module.css';
import { CreateInput, type CreateField, type Typed } from './create.js';
import { OutlookView } from './outlook-view.js';
import { changedSettings, SETTINGS, settingsBody, typedSettings } from './settings-fields.js';

interface SettingsProps {
  readonly organization: Organization;
}

/** Button that opens a form for the settings: first what changes, then the change. */
export const ChangeSettings = ({ organization }: SettingsProps) => (
  <ActButton label="Change settings" title="Change settings" isForAdmins>
    {(dialog) => <SettingsForm organization={organization} {...dialog} />}
  </ActButton>
);

function SettingsForm({ organization, onActed, onClose }: SettingsProps & DialogProps) {
  const [before] = useState(() => typedSettings(organization));
  const [typed, setTyped] = useState(before);
  const [isPreviewed, setPreviewed] = useState(false);
  const changed = changedSettings(before, typed);
  const save = useMutation({
    mutationFn: () => recount.updateOrganization(settingsBody(changed, typed)),
    onSuccess: onActed,
  });
  const change = (part: Typed): void => {
    setTyped((now) => ({ ...now, ...part }));
    setPreviewed(false);
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isPreviewed) save.mutate();
    else setPreviewed(true);
  };
  if (save.data)
    return (
      <div className={styles.form}>
        <p role="status">
          The settings have been changed. Invoices that are issued already stay as they are.
        </p>
        <div className={styles.buttons}>
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    );
  const errors = save.error instanceof ApiError ? save.error.validationErrors : [];
  const errorOf = ({ name }: CreateField): string | undefined =>
    errors.find(({ attr }) => attr === name || attr.startsWith(`${name}.`))?.detail;
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.fields}>
        {SETTINGS.map((field) => (
          <Field key={field.name} label={field.label} hint={field.hint} error={errorOf(field)}>
            <CreateInput
              field={field}
              value={typed[field.name] ?? ''}
              onChange={(value) => change({ [field.name]: value })}
            />
          </Field>
        ))}
      </div>
      {isPreviewed && changed.length === 0 && <p role="status">Nothing is changed.</p>}
      {isPreviewed && changed.length > 0 && (
        <OutlookView
          outlook={{ changes: changed.map((field) => changeOf(field, before, typed)) }}
          zone="UTC"
        />
      )}
      {save.error && !SETTINGS.some((field) => errorOf(field) !== undefined) && (
        <Problem error={save.error} />
      )}
      <div className={styles.buttons}>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
        <Button
          type="submit"
          look="primary"
          isBusy={save.isPending}
          disabled={isPreviewed && changed.length === 0}
        >
          {isPreviewed ? 'Save settings' : 'Preview'}
        </Button>
      </div>
    </form>
  );
}

function changeOf({ name, label, options }: CreateField, before: Typed, typed: Typed) {
  const textOf = (value = ''): string => (value.trim() === '' ? 'none' : (options?.[value] ?? value));
  return { name: label, now: textOf(before[name]), then: textOf(typed[name]) };
}
