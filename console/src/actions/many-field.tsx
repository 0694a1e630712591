import { CheckList } from '../shared/check-list.js';
import { listOf, type ControlProps } from './form-field.js';
import styles from './many-field.module.css';

/** Field for any number of values, each with a sentence. */
export function ManyField({ field: { label, options = {} }, error, value, onChange }: ControlProps) {
  return (
    <fieldset className={styles.field}>
      <legend className={styles.legend}>{label}</legend>
      <CheckList
        options={Object.entries(options).map(([name, sentence]) => ({
          value: name,
          label: (
            <>
              <code>{name}</code> <span className={styles.sentence}>{sentence}</span>
            </>
          ),
        }))}
        chosen={listOf(value)}
        onChange={(chosen) => onChange(chosen.join(', '))}
      />
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
