import { useQuery } from '@tanstack/react-query';
import { metricsQuery } from '../../api/metrics.js';
import { Button } from '../../shared/button.js';
import { Field, Options, SelectInput, TextInput } from '../../shared/field.js';
import { PriceCurve } from '../plans/price-curve.js';
import { TiersFieldset } from './tiers-fieldset.js';
import { PREPAID, PRICING } from './version-choices.js';
import { pricesOfDraft, type ComponentDraft } from './version-draft.js';
import styles from './version-form.module.css';

/** Browsers format amounts in these only, and throw for a code that is half typed. */
const CURRENCY = /^[a-z]{3}$/i;

interface ComponentProps {
  readonly component: ComponentDraft;
  readonly currency: string;
  readonly errorAt: (path: string) => string | undefined;
  readonly onChange: (component: ComponentDraft) => void;
  readonly onRows: (component: ComponentDraft) => void;
  readonly onRemove: () => void;
}

/** Fields of a usage price, drawn while it is typed. */
export function ComponentFieldset(props: ComponentProps) {
  const { component, currency, errorAt, onChange, onRows, onRemove } = props;
  const metrics = useQuery(metricsQuery);
  const name = metrics.data?.find(({ metric_id: id }) => id === component.metricId)?.metric_name;
  const prices = CURRENCY.test(currency)
    ? pricesOfDraft(component)
    : 'The curve is drawn once the currency is a code of three letters.';
  return (
    <fieldset className={styles.component}>
      <legend className={styles.legend}>Usage price{name === undefined ? '' : ` for ${name}`}</legend>
      <div className={styles.fields}>
        <Field label="Metric" error={errorAt('metric_id')}>
          <SelectInput
            value={component.metricId}
            onChange={({ target }) => onChange({ ...component, metricId: target.value })}
          >
            <option value="">{metrics.data ? 'Choose a metric' : 'Loading'}</option>
            {metrics.data?.map(({ metric_id: id, metric_name: label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </SelectInput>
        </Field>
        <Field label="Tier pricing" error={errorAt('bulk_pricing_enabled')}>
          <SelectInput
            value={component.isBulk ? 'bulk' : 'graduated'}
            onChange={({ target }) => onChange({ ...component, isBulk: target.value === 'bulk' })}
          >
            <Options of={PRICING} />
          </SelectInput>
        </Field>
        <Field label="Charged" error={errorAt('prepaid_charge')}>
          <SelectInput
            value={component.prepaid}
            onChange={({ target }) =>
              onChange({ ...component, prepaid: target.value as ComponentDraft['prepaid'] })
            }
          >
            <Options of={PREPAID} />
          </SelectInput>
        </Field>
        {component.prepaid !== 'none' && (
          <Field
            label="Prepaid units"
            hint="Leave empty to set them for each subscription."
            error={errorAt('prepaid_charge.units')}
          >
            <TextInput
              inputMode="decimal"
              autoComplete="off"
              value={component.prepaidUnits}
              onChange={({ target }) => onChange({ ...component, prepaidUnits: target.value })}
            />
          </Field>
        )}
      </div>
      <TiersFieldset
        tiers={component.tiers}
        currency={currency}
        errorAt={(path) => errorAt(`tiers.${path}`)}
        onChange={(tiers) => onChange({ ...component, tiers })}
        onRows={(tiers) => onRows({ ...component, tiers })}
      />
      <div aria-live="polite">
        {typeof prices === 'string' ? (
          <p className={styles.note}>{prices}</p>
        ) : (
          <PriceCurve prices={prices} currency={currency} name={name ?? 'the metric'} />
        )}
      </div>
      <Button look="quiet" className={styles.add} onClick={onRemove}>
        Remove this usage price
      </Button>
    </fieldset>
  );
}
