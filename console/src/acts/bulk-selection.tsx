import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatQuantity } from '../shared/amount.js';
import { Field, SelectInput, TextInput } from '../shared/field.js';
import { formatDayOf } from '../shared/instant.js';
import { FormError } from '../shared/problem.js';
import type { Change } from './outlook.js';
import styles from './act-dialog.module.css';

/** The subscriptions of a customer that a bulk change is for. */
export interface Selection {
  readonly fromPlanId: string;
  /** Property filters as they are typed, such as `region=eu, team=ops`. */
  readonly filters: string;
}

export const EVERYTHING: Selection = { fromPlanId: '', filters: '' };

interface SelectionFieldsProps {
  readonly value: Selection;
  readonly subscriptions: readonly Subscription[];
  /** Whether the change may be for the subscriptions of every plan. */
  readonly mayBeAll: boolean;
  readonly onChange: (part: Partial<Selection>) => void;
}

export function SelectionFields({ value, subscriptions, mayBeAll, onChange }: SelectionFieldsProps) {
  const plans = new Map(subscriptions.map(({ billing_plan: plan }) => [plan.plan_id, plan.plan_name]));
  return (
    <>
      <Field label="Subscriptions to">
        <SelectInput
          required={!mayBeAll}
          value={value.fromPlanId}
          onChange={({ target }) => onChange({ fromPlanId: target.value })}
        >
          <option value="">{mayBeAll ? 'every plan' : 'Choose a plan'}</option>
          {[...plans].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectInput>
      </Field>
      <Field label="With the properties" hint="Such as region=eu, team=ops. Empty: with any.">
        <TextInput
          autoComplete="off"
          value={value.filters}
          onChange={({ target }) => onChange({ filters: target.value })}
        />
      </Field>
    </>
  );
}

/** The selection as the API takes it. */
export function queryOf(customerId: string, { fromPlanId, filters }: Selection) {
  const pairs = filters
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=').map((part) => part.trim());
      if (name === '' || value === '') throw new FormError(`"${pair}" is no property. Write name=value.`);
      return { property_name: name, value };
    });
  return {
    customer_id: customerId,
    ...(fromPlanId === '' ? {} : { plan_id: fromPlanId }),
    ...(pairs.length > 0 ? { subscription_filters: pairs } : {}),
  };
}

/** Subscriptions that are named before the change; the others are counted. */
const SAMPLE = 5;

export interface Found {
  readonly matching: readonly Subscription[];
  /** Count and sample, as rows of the preview. */
  changes(then: string): Change[];
}

/** Finds the running subscriptions that a change by filter is for. */
export async function findMatching(customerId: string, selection: Selection, zone: string): Promise<Found> {
  const query = { ...queryOf(customerId, selection), status: ['active' as const], limit: 1000 };
  const matching = await recount.listSubscriptions(query).all();
  if (matching.length === 0) throw new FormError('No running subscription matches.');
  const rest = matching.length - SAMPLE;
  return {
    matching,
    changes: (then) => [
      { name: 'Subscriptions', now: `${formatQuantity(matching.length)} running`, then },
      ...matching.slice(0, SAMPLE).map((one, index) => ({
        name: `${index + 1}. ${one.billing_plan.plan_name}${filtersText(one)}`,
        now: `until ${formatDayOf(one.end_date, zone)}`,
        then,
      })),
      ...(rest > 0 ? [{ name: `and ${formatQuantity(rest)} more`, now: '', then }] : []),
    ],
  };
}

const filtersText = ({ subscription_filters: filters }: Subscription): string =>
  filters.map(({ property_name: name, value }) => ` ${name}=${value}`).join('');

const EVERY_MS = 400;

interface ProgressProps {
  readonly customerId: string;
  readonly requestId: string;
}

/** How far a change by filter is, while its answer is awaited. */
export function BulkProgress({ customerId, requestId }: ProgressProps) {
  const { data } = useQuery({
    queryKey: ['bulk-changes', customerId, requestId],
    queryFn: ({ signal }) => recount.listBulkChanges(customerId, { signal }),
    refetchInterval: EVERY_MS,
  });
  const change = data?.bulk_changes.find(({ request_id: id }) => id === requestId);
  const [done, all] = [change?.subscriptions_done ?? 0, change?.subscriptions];
  return (
    <p role="status" className={styles.progress}>
      <progress
        aria-label="Subscriptions changed"
        value={all === undefined ? undefined : done}
        max={all ?? 1}
      />
      {all === undefined
        ? 'Accepting the change'
        : `${formatQuantity(done)} of ${formatQuantity(all)} changed`}
    </p>
  );
}
