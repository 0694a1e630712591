import { Field as BaseField } from '@base-ui/react/field';
import { useState } from 'react';
import { formatQuantity } from '../shared/amount.js';
import { Button } from '../shared/button.js';
import { Field } from '../shared/field.js';
import type { ControlProps } from './form-field.js';
import styles from './image-field.module.css';

const IMAGE = /^data:image\//;
const KINDS = ['image/png', 'image/jpeg'];

const kilobytes = (bytes: number): string => `${formatQuantity(Math.ceil(bytes / 1024))} kB`;

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });

/** Says what is wrong with a file; undefined: nothing. */
function refusalOf({ type, size }: File, most: number): string | undefined {
  if (!KINDS.includes(type)) return 'This file is not a PNG or JPEG. Choose another one.';
  if (size > most) return `This image has ${kilobytes(size)}. Choose one of at most ${kilobytes(most)}.`;
  return undefined;
}

/** Field for a picture: shows the one that is chosen, and removes it. */
export function ImageField({
  field,
  error,
  value,
  onChange,
  most,
}: ControlProps & { readonly most: number }) {
  const [refusal, setRefusal] = useState<string>();
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const refused = refusalOf(file, most);
    setRefusal(refused);
    if (refused === undefined) onChange(await dataUrlOf(file).catch(() => ''));
  };
  return (
    <Field label={field.label} hint={field.hint} error={refusal ?? error}>
      <BaseField.Control
        type="file"
        accept={KINDS.join()}
        className={styles.file}
        onChange={({ target }) => void choose((target as HTMLInputElement).files?.[0])}
      />
      {value !== '' && (
        <div className={styles.chosen}>
          {IMAGE.test(value) ? (
            <img src={value} alt={`New ${field.label}`} className={styles.image} />
          ) : (
            value
          )}
          <Button onClick={() => onChange('')}>
            Remove<span className="visually-hidden"> {field.label}</span>
          </Button>
        </div>
      )}
    </Field>
  );
}
