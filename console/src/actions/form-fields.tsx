import type { ReactNode } from 'react';
import { Button } from '../shared/button.js';
import { Field, Options, SelectInput, TextInput } from '../shared/field.js';
import { errorOfField, Problem } from '../shared/problem.js';
import { useFocusOnce } from '../shared/use-focus-once.js';
import styles from './action-dialog.module.css';
import { textOf, type ControlProps, type FormField, type Typed } from './form-field.js';
import { ImageField } from './image-field.js';
import { ManyField } from './many-field.js';

interface FormFieldsProps {
  readonly fields: readonly FormField[];
  readonly typed: Typed;
  readonly onChange: (part: Typed) => void;
  /** Refusal of what was sent: it stands at its field, and below where it is of none. */
  readonly error: unknown;
  /** Stands between the fields and a refusal that is of none. */
  readonly children?: ReactNode;
}

/** Fields of a form, with what the service refuses of them. */
export function FormFields({ fields, typed, onChange, error, children }: FormFieldsProps) {
  const errorOf = ({ name }: FormField): string | undefined => errorOfField(error, name);
  return (
    <>
      <div className={styles.fields}>
        {fields.map((field) => {
          const control = {
            field,
            error: errorOf(field),
            value: textOf(field, typed),
            onChange: (value: string) => onChange({ [field.name]: value }),
          };
          if (field.imageBytes !== undefined)
            return <ImageField key={field.name} {...control} most={field.imageBytes} />;
          if (field.isMany) return <ManyField key={field.name} {...control} />;
          return (
            <div key={field.name} className={field.isWide ? styles.wide : undefined}>
              <TypedField {...control} />
            </div>
          );
        })}
      </div>
      {children}
      {error !== null && !fields.some((field) => errorOf(field) !== undefined) && <Problem error={error} />}
    </>
  );
}

/** Field for a text, or a choice. */
function TypedField({ field, error, value, onChange }: ControlProps) {
  const { label, hint, isRequired = false, isNumber = false, options } = field;
  return (
    <Field label={label} hint={hint} error={error}>
      {options === undefined ? (
        <TextInput
          required={isRequired}
          inputMode={isNumber ? 'decimal' : 'text'}
          autoComplete="off"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <SelectInput required={isRequired} value={value} onChange={({ target }) => onChange(target.value)}>
          <Options of={options} />
        </SelectInput>
      )}
    </Field>
  );
}

interface FormButtonsProps {
  readonly label: string;
  readonly look?: 'primary' | 'danger';
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  readonly onClose: () => void;
}

export function FormButtons(props: FormButtonsProps) {
  const { label, look = 'primary', isBusy, isDisabled = false, onClose } = props;
  return (
    <div className={styles.buttons}>
      <Button look="quiet" onClick={onClose}>
        Close
      </Button>
      <Button type="submit" look={look} isBusy={isBusy} aria-disabled={isDisabled}>
        {label}
      </Button>
    </div>
  );
}

/** Tells screen readers that the preview is there; it stands in the form before, so that the change is announced. */
export const PreviewStatus = ({ isShown }: { readonly isShown: boolean }) => (
  <p role="status" className="visually-hidden">
    {isShown && 'The preview is shown. Nothing has changed yet.'}
  </p>
);

interface FormDoneProps {
  readonly onClose: () => void;
  /** Says what was done, and what comes next. */
  readonly children: ReactNode;
}

/** Replaces a form whose action is done. */
export function FormDone({ onClose, children }: FormDoneProps) {
  const said = useFocusOnce<HTMLDivElement>();
  return (
    <div className={styles.form}>
      <div ref={said} role="status" tabIndex={-1} className={styles.said}>
        {children}
      </div>
      <div className={styles.buttons}>
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
