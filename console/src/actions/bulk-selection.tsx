import { useQuery } from '@tanstack/react-query';
import type { BulkPreview, Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatQuantity } from '../shared/amount.js';
import { Field, SelectInput, TextInput } from '../shared/field.js';
import { formatEnd } from '../shared/period.js';
import { nameOfTerm } from '../shared/subscription-filters.js';
import { FormError } from '../shared/problem.js';
import { readText, type FormShape } from './form-search.js';
import type { ActionPreview } from './action-preview.js';
import { compareInvoices } from './preview-invoices.js';
import styles from './action-dialog.module.css';

/** Subscriptions of a customer that a bulk change selects. */
export interface Selection {
  readonly fromPlanId: string;
  /** Property filters as typed, such as `region=eu, team=ops`. */
  readonly filters: string;
}

export const EVERYTHING: Selection = { fromPlanId: '', filters: '' };

export const SELECTION_SHAPE: FormShape<Selection> = { fromPlanId: readText, filters: readText };

interface SelectionFieldsProps {
  readonly value: Selection;
  readonly subscriptions: readonly Subscription[];
  /** Tells whether the change may select the subscriptions of every plan. */
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
      <Field label="With the properties" hint="Such as region=eu, team=ops. Leave empty for any.">
        <TextInput
          autoComplete="off"
          value={value.filters}
          onChange={({ target }) => onChange({ filters: target.value })}
        />
      </Field>
    </>
  );
}

/** Returns the selection as the API expects it. */
export function queryOf(customerId: string, { fromPlanId, filters }: Selection) {
  const pairs = filters
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=').map((part) => part.trim());
      if (name === '' || value === '') throw new FormError(`"${pair}" is not a property. Write name=value.`);
      return { property_name: name, value };
    });
  return {
    customer_id: customerId,
    ...(fromPlanId === '' ? {} : { plan_id: fromPlanId }),
    ...(pairs.length > 0 ? { subscription_filters: pairs } : {}),
  };
}

/** Number of subscriptions that are listed by name. */
const NAMED = 10;

/**
 * Reads the preview of a change by filter, with count, sample and invoice.
 * @param invoicing `add_to_next_invoice` shows the whole next invoice
 */
export async function previewOfMany(
  customerId: string,
  zone: string,
  { subscriptions: count, sample, invoices }: BulkPreview,
  invoicing: Parameters<typeof compareInvoices>[1],
): Promise<ActionPreview> {
  if (count === 0) throw new FormError('No active subscription matches.');
  const named = sample.slice(0, NAMED);
  const rest = count - named.length;
  const then = invoices.map(({ invoice }) => invoice);
  const shown = then.reduce((sum, { line_items: lines }) => sum + lines.length, 0);
  return {
    changes: [
      { name: 'Subscriptions', now: `${formatQuantity(count)} active`, then: 'all change, or none do' },
      ...named.map((one, index) => ({
        name: `${index + 1}. ${nameOfTerm(one.now)}`,
        now: termText(one.now, zone),
        then: termText(one.then, zone),
      })),
      ...(rest > 0 ? [{ name: `and ${formatQuantity(rest)} more`, now: '', then: 'in the same way' }] : []),
    ],
    invoices: {
      ...(await compareInvoices(customerId, invoicing, { invoices: then })),
      linesLeftOut: invoices.reduce((sum, { lines }) => sum + lines, 0) - shown,
    },
  };
}

const termText = (
  { billing_plan: { plan_name: plan, version }, auto_renew: renews, end_date: end }: Subscription,
  zone: string,
): string => `${plan}, version ${version}, ${renews ? 'renews' : 'ends'} ${formatEnd(end, zone)}`;

const EVERY_MS = 400;

interface ProgressProps {
  readonly customerId: string;
  readonly requestId: string;
}

/** Shows the progress of a change by filter, while its answer is awaited. */
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
