import type { ReactNode } from 'react';
import styles from './check-list.module.css';

interface CheckListProps {
  readonly options: readonly { readonly value: string; readonly label: ReactNode }[];
  readonly chosen: readonly string[];
  /** Values in the order of the options. */
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Boxes of which any number is checked. */
export const CheckList = ({ options, chosen, onChange }: CheckListProps) => (
  <div className={styles.list}>
    {options.map(({ value, label }) => (
      <label key={value} className={styles.option}>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={({ target }) => {
            const isChosen = (one: string): boolean =>
              one === value ? target.checked : chosen.includes(one);
            onChange(options.map((one) => one.value).filter(isChosen));
          }}
        />
        <span>{label}</span>
      </label>
    ))}
  </div>
);
