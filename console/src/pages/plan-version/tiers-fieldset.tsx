import { Plus, X } from 'lucide-react';
import { Button } from '../../shared/button.js';
import { Field, Options, SelectInput, TextInput } from '../../shared/field.js';
import { ROUNDINGS, TYPES } from './version-choices.js';
import { tierAfter, type TierDraft } from './version-draft.js';
import styles from './version-form.module.css';

interface TiersProps {
  readonly tiers: readonly TierDraft[];
  readonly currency: string;
  /** Returns the service's sentence on a field of a tier, such as `0.range_end`. */
  readonly errorAt: (path: string) => string | undefined;
  readonly onChange: (tiers: readonly TierDraft[]) => void;
  /** A tier was added or removed, so the service's sentences no longer match their fields. */
  readonly onRows: (tiers: readonly TierDraft[]) => void;
}

export function TiersFieldset({ tiers, currency, errorAt, onChange, onRows }: TiersProps) {
  return (
    <div className={styles.rows}>
      {tiers.map((tier, index) => {
        const change = (part: Partial<TierDraft>): void => onChange(tiers.with(index, { ...tier, ...part }));
        const text = (name: 'start' | 'end' | 'cost' | 'batch') => ({
          inputMode: 'decimal' as const,
          autoComplete: 'off',
          value: tier[name],
          onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
        });
        return (
          <fieldset key={index} className={styles.tier}>
            <legend className={styles.legend}>Tier {index + 1}</legend>
            <Field label="From" error={errorAt(`${index}.range_start`)}>
              <TextInput {...text('start')} />
            </Field>
            <Field label="To" error={errorAt(`${index}.range_end`)}>
              <TextInput {...text('end')} placeholder="no limit" />
            </Field>
            <Field label="Price" error={errorAt(`${index}.type`)}>
              <SelectInput
                value={tier.type}
                onChange={({ target }) => change({ type: target.value as TierDraft['type'] })}
              >
                <Options of={TYPES} />
              </SelectInput>
            </Field>
            {tier.type !== 'free' && (
              <Field label={`Cost in ${currency}`} error={errorAt(`${index}.cost_per_batch`)}>
                <TextInput {...text('cost')} />
              </Field>
            )}
            {tier.type === 'per_unit' && (
              <>
                <Field label="Units per batch" error={errorAt(`${index}.metric_units_per_batch`)}>
                  <TextInput {...text('batch')} />
                </Field>
                <Field label="Partial batches" error={errorAt(`${index}.batch_rounding_type`)}>
                  <SelectInput
                    value={tier.rounding}
                    onChange={({ target }) => change({ rounding: target.value as TierDraft['rounding'] })}
                  >
                    <Options of={ROUNDINGS} />
                  </SelectInput>
                </Field>
              </>
            )}
            {tiers.length > 1 && (
              <Button
                look="quiet"
                className={styles.remove}
                aria-label={`Remove tier ${index + 1}`}
                onClick={() => onRows(tiers.toSpliced(index, 1))}
              >
                <X size={14} aria-hidden />
              </Button>
            )}
          </fieldset>
        );
      })}
      <Button className={styles.add} onClick={() => onRows([...tiers, tierAfter(tiers)])}>
        <Plus size={14} aria-hidden /> Add tier
      </Button>
    </div>
  );
}
