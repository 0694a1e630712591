import { Field, Options, SelectInput, TextInput } from '../../shared/field.js';
import { ADJUSTMENT } from './version-choices.js';
import type { VersionDraft } from './version-draft.js';
import styles from './version-form.module.css';

interface AdjustmentProps {
  readonly draft: VersionDraft;
  readonly errorAt: (path: string) => string | undefined;
  readonly onChange: (part: Partial<VersionDraft>) => void;
}

/** Lets a copied price adjustment be kept, corrected or removed; nothing where the copied version has none. */
export function AdjustmentFields({ draft, errorAt, onChange }: AdjustmentProps) {
  const { kept, adjustment, adjustmentAmount, currency } = draft;
  if (!kept.price_adjustment) return null;
  const { price_adjustment_name: name, price_adjustment_type: type } = kept.price_adjustment;
  const label = {
    percentage: 'Percent',
    fixed: `Adjustment in ${currency}`,
    price_override: `Price in ${currency}`,
  }[type];
  return (
    <fieldset className={`${styles.tier} ${styles.wide}`}>
      <legend className={styles.legend}>Price adjustment</legend>
      <Field label="Adjustment">
        <SelectInput
          value={adjustment}
          onChange={({ target }) => onChange({ adjustment: target.value as VersionDraft['adjustment'] })}
        >
          <Options of={{ ...ADJUSTMENT, kept: name }} />
        </SelectInput>
      </Field>
      {adjustment === 'kept' && (
        <Field
          label={label}
          hint={type === 'price_override' ? undefined : 'A negative number is a discount.'}
          error={errorAt('price_adjustment.price_adjustment_amount')}
        >
          <TextInput
            autoComplete="off"
            value={adjustmentAmount}
            onChange={({ target }) => onChange({ adjustmentAmount: target.value })}
          />
        </Field>
      )}
    </fieldset>
  );
}
