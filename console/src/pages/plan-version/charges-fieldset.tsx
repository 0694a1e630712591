import { Plus, X } from 'lucide-react';
import { Button } from '../../shared/button.js';
import { Field, Options, SelectInput, TextInput } from '../../shared/field.js';
import { BEHAVIORS, TIMINGS } from './version-choices.js';
import { NEW_CHARGE, type ChargeDraft } from './version-draft.js';
import styles from './version-form.module.css';

interface ChargesProps {
  readonly charges: readonly ChargeDraft[];
  readonly currency: string;
  readonly errorAt: (path: string) => string | undefined;
  readonly onChange: (charges: readonly ChargeDraft[]) => void;
  readonly onRows: (charges: readonly ChargeDraft[]) => void;
}

export function ChargesFieldset({ charges, currency, errorAt, onChange, onRows }: ChargesProps) {
  return (
    <div className={styles.rows}>
      {charges.map((charge, index) => {
        const change = (part: Partial<ChargeDraft>): void =>
          onChange(charges.with(index, { ...charge, ...part }));
        return (
          <fieldset key={index} className={styles.tier}>
            <legend className={styles.legend}>Charge {index + 1}</legend>
            <Field label="Name" error={errorAt(`${index}.name`)}>
              <TextInput value={charge.name} onChange={({ target }) => change({ name: target.value })} />
            </Field>
            <Field label={`Amount in ${currency}`} error={errorAt(`${index}.amount`)}>
              <TextInput
                inputMode="decimal"
                autoComplete="off"
                value={charge.amount}
                onChange={({ target }) => change({ amount: target.value })}
              />
            </Field>
            <Field label="Invoiced" error={errorAt(`${index}.charge_timing`)}>
              <SelectInput
                value={charge.timing}
                onChange={({ target }) => change({ timing: target.value as ChargeDraft['timing'] })}
              >
                <Options of={TIMINGS} />
              </SelectInput>
            </Field>
            <Field label="Partial periods" error={errorAt(`${index}.charge_behavior`)}>
              <SelectInput
                value={charge.behavior}
                onChange={({ target }) => change({ behavior: target.value as ChargeDraft['behavior'] })}
              >
                <Options of={BEHAVIORS} />
              </SelectInput>
            </Field>
            <Button
              look="quiet"
              className={styles.remove}
              aria-label={`Remove charge ${index + 1}`}
              onClick={() => onRows(charges.toSpliced(index, 1))}
            >
              <X size={14} aria-hidden />
            </Button>
          </fieldset>
        );
      })}
      <Button className={styles.add} onClick={() => onRows([...charges, NEW_CHARGE])}>
        <Plus size={14} aria-hidden /> Add recurring charge
      </Button>
    </div>
  );
}
