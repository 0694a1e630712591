import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Sentence about the error in the value. */
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/** Control with its label, hint and error, linked for screen readers. */
export function Field({ label, hint, error, children }: FieldProps) {
  return (
    <BaseField.Root className={styles.field} invalid={error !== undefined}>
      <BaseField.Label className={styles.label}>{label}</BaseField.Label>
      {children}
      {hint !== undefined && <BaseField.Description className={styles.hint}>{hint}</BaseField.Description>}
      {error !== undefined && (
        <BaseField.Error className={styles.error} role="alert" match>
          {error}
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}

export function TextInput(props: ComponentProps<typeof BaseField.Control>) {
  return <BaseField.Control {...props} className={styles.input} />;
}

/** Options of a choice: values with their names. */
export const Options = ({ of }: { readonly of: Readonly<Record<string, string>> }) =>
  Object.entries(of).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));

export function SelectInput({ children, ...props }: ComponentProps<typeof BaseField.Control>) {
  return <BaseField.Control {...props} className={styles.input} render={<select>{children}</select>} />;
}
