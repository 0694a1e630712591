import { useQuery } from '@tanstack/react-query';
import { recount } from '../api/client.js';
import { nowQuery } from '../api/now.js';
import { formatAmount } from '../shared/amount.js';
import { Field, TextInput } from '../shared/field.js';
import { formatDay } from '../shared/instant.js';
import { fromLocalText, localTextOf } from '../shared/moment.js';
import { ActionDialog } from './action-dialog.js';
import { PlanChoice } from './field-options.js';
import { readDay, readText, type FormShape } from './form-search.js';
import type { ActionPreview } from './action-preview.js';
import { NEW_INVOICE } from './preview-invoices.js';

interface Values {
  readonly planId: string;
  readonly startDate: string;
}

const INITIAL: Values = { planId: '', startDate: '' };

const SHAPE: FormShape<Values> = { planId: readText, startDate: readDay };

interface SubscribeProps {
  readonly customerId: string;
  /** Time zone of the customer. */
  readonly zone: string;
}

export function SubscribeAction({ customerId, zone }: SubscribeProps) {
  const { data: now, isPending } = useQuery(nowQuery);
  // The form suggests the day on which it opens: it waits until the clock is known.
  if (isPending) return null;
  const today = localTextOf(now ?? new Date().toISOString(), zone).slice(0, 10);
  return (
    <ActionDialog
      label="Subscribe"
      title={`Subscribe ${customerId}`}
      customerId={customerId}
      initial={INITIAL}
      suggested={{ startDate: today }}
      shape={SHAPE}
      fields={({ planId, startDate }, change) => (
        <>
          <PlanChoice value={planId} onChange={(id) => change({ planId: id })} />
          <Field label="From" hint="Midnight of this day in the customer's time zone.">
            <TextInput
              type="date"
              required
              value={startDate}
              onChange={({ target }) => change({ startDate: target.value })}
            />
          </Field>
        </>
      )}
      preview={(values) => previewOf({ customerId, zone }, values)}
      execute={(values, options) =>
        recount.createSubscription(bodyOf({ customerId, zone }, values), {}, options)
      }
      done="The subscription has been created."
    />
  );
}

const bodyOf = ({ customerId, zone }: SubscribeProps, { planId, startDate }: Values) => ({
  customer_id: customerId,
  plan_id: planId,
  start_date: fromLocalText(`${startDate}T00:00:00`, zone),
});

async function previewOf(props: SubscribeProps, values: Values): Promise<ActionPreview> {
  const { planId, startDate } = values;
  const [{ plan_name: name, display_version: version }, preview] = await Promise.all([
    recount.getPlan(planId),
    recount.createSubscription(bodyOf(props, values), { preview: true }),
  ]);
  const { code } = version.currency;
  return {
    invoices: { ...NEW_INVOICE, now: [], then: preview.invoices },
    changes: [
      { name: 'Plan', now: '–', then: name },
      { name: 'From', now: '–', then: formatDay(startDate) },
      ...version.recurring_charges.map((charge) => ({
        name: charge.name,
        now: '–',
        then: `${formatAmount(charge.amount, code)} ${charge.charge_timing.replace('_', ' ')}`,
      })),
      ...version.components.map(({ billable_metric: metric, prepaid_charge: prepaid }) => ({
        name: metric.metric_name,
        now: '–',
        then: prepaid ? `${prepaid.units ?? 'no'} units prepaid` : 'charged by usage',
      })),
    ],
  };
}
