import { useQuery } from '@tanstack/react-query';
import { recount } from '../api/client.js';
import { planPrice } from '../pages/plans/plan-price.js';
import { Problem } from '../shared/problem.js';
import { Field, Options, SelectInput } from '../shared/field.js';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}

/** Choice of one of a few values, each with a sentence. */
export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      <SelectInput value={value} onChange={({ target }) => onChange(target.value)}>
        <Options of={options} />
      </SelectInput>
    </Field>
  );
}

interface ChoicesProps<Values> {
  readonly of: readonly (Pick<ChoiceProps, 'label' | 'options'> & { readonly name: keyof Values & string })[];
  readonly value: Values;
  readonly onChange: (part: Partial<Values>) => void;
}

/** Choices of a form, one for each of these values. */
export const Choices = <Values extends object>({ of, value, onChange }: ChoicesProps<Values>) =>
  of.map(({ name, label, options }) => (
    <Choice
      key={name}
      label={label}
      options={options}
      value={String(value[name])}
      onChange={(chosen) => onChange({ [name]: chosen } as Partial<Values>)}
    />
  ));

export const INVOICING: Readonly<Record<'invoice_now' | 'add_to_next_invoice', string>> = {
  invoice_now: 'Invoice now',
  add_to_next_invoice: 'Add to the next invoice',
};

interface PlanChoiceProps {
  readonly value: string;
  readonly onChange: (planId: string) => void;
  /** Id of a version that is not offered: it runs already. */
  readonly except?: string;
}

export function PlanChoice({ value, onChange, except }: PlanChoiceProps) {
  const plans = useQuery({
    queryKey: ['plans', 'all'],
    queryFn: ({ signal }) => recount.listPlans({ limit: 1000 }, { signal }).all(),
  });
  const offered = plans.data?.filter(
    ({ status, display_version: version }) => status === 'active' && version.version_id !== except,
  );
  const isUnknown = value !== '' && offered !== undefined && !offered.some(({ plan_id: id }) => id === value);
  return (
    <>
      {plans.error && <Problem error={plans.error} retry={() => void plans.refetch()} />}
      <Field label="Plan" error={isUnknown ? `${value} is not on sale. Choose a plan.` : undefined}>
        <SelectInput
          required
          value={isUnknown ? '' : value}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{plans.data ? 'Choose a plan' : 'Loading'}</option>
          {offered?.map((plan) => (
            <option key={plan.plan_id} value={plan.plan_id}>
              {[plan.plan_name, planPrice(plan) ?? plan.plan_duration].filter(Boolean).join(', ')}
            </option>
          ))}
        </SelectInput>
      </Field>
    </>
  );
}
