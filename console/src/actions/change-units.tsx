import { useQuery } from '@tanstack/react-query';
import type { PlanComponent, Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatQuantity } from '../shared/amount.js';
import { Field, TextInput } from '../shared/field.js';
import { ActionDialog } from './action-dialog.js';
import { Choice, INVOICING } from './field-options.js';
import { readNumber, oneOf, type FormShape } from './form-search.js';
import { compareInvoices } from './preview-invoices.js';

interface Values {
  readonly units: string;
  readonly invoicing: keyof typeof INVOICING;
}

const INITIAL: Values = { units: '', invoicing: 'invoice_now' };

const SHAPE: FormShape<Values> = { units: readNumber, invoicing: oneOf(INVOICING) };

const bodyOf = ({ units, invoicing }: Values) => ({
  units: Number(units),
  invoice_now: invoicing === 'invoice_now',
});

interface ChangeUnitsProps {
  readonly customerId: string;
  readonly subscription: Subscription;
}

/** Ids of the log are uuids, those of the API have a prefix and no hyphens. */
const isMetric = (uuid: string, metricId: string): boolean => metricId.endsWith(uuid.replaceAll('-', ''));

interface UnitsEvent {
  readonly metricId?: string;
  readonly units?: string;
  readonly term?: {
    readonly prepaidUnits?: readonly { readonly metricId: string; readonly units: string }[];
  };
}

/** Reads how many units the subscription holds: those last set, or those of its plan. */
async function readHeldUnits(
  subscriptionId: string,
  metricId: string,
  components: readonly PlanComponent[],
): Promise<number> {
  const { events } = await recount.getSubscriptionHistory(subscriptionId);
  let held = components.find(({ billable_metric: metric }) => metric.metric_id === metricId)?.prepaid_charge
    ?.units;
  for (const { type, data } of events) {
    const { metricId: changed = '', units, term } = data as UnitsEvent;
    const begun = term?.prepaidUnits?.find((one) => isMetric(one.metricId, metricId));
    if (type === 'SubscriptionStarted' && begun) held = Number(begun.units);
    if (type === 'PrepaidUnitsChanged' && isMetric(changed, metricId)) held = Number(units);
  }
  return held ?? 0;
}

/** One button for each prepaid component of the plan. */
export function ChangeUnitsActions({ customerId, subscription }: ChangeUnitsProps) {
  const { subscription_id: id, billing_plan: ref } = subscription;
  const { data: plan } = useQuery({
    queryKey: ['plans', 'one', ref.plan_id],
    queryFn: ({ signal }) => recount.getPlan(ref.plan_id, { signal }),
  });
  const version = plan?.versions.find(({ version_id: versionId }) => versionId === ref.version_id);
  const prepaid = version?.components.filter(({ prepaid_charge: charge }) => charge !== null) ?? [];
  return prepaid.map(({ billable_metric: { metric_id: metricId, metric_name: name } }) => (
    <ActionDialog
      key={metricId}
      name={`change-${metricId}`}
      label={`Change ${name}`}
      title={`Change prepaid ${name} of ${customerId}`}
      on={id}
      customerId={customerId}
      initial={INITIAL}
      shape={SHAPE}
      fields={({ units, invoicing }, change) => (
        <>
          <Field label="Units">
            <TextInput
              type="number"
              min={0}
              step="any"
              required
              value={units}
              onChange={({ target }) => change({ units: target.value })}
            />
          </Field>
          <Choice
            label="Invoice"
            value={invoicing}
            options={INVOICING}
            onChange={(value) => change({ invoicing: value as Values['invoicing'] })}
          />
        </>
      )}
      preview={async (values) => {
        const [preview, held] = await Promise.all([
          recount.changePrepaidUnits(id, metricId, bodyOf(values), { preview: true }),
          readHeldUnits(id, metricId, prepaid),
        ]);
        return {
          changes: [{ name, now: formatQuantity(held), then: formatQuantity(Number(values.units)) }],
          invoices: await compareInvoices(customerId, values.invoicing, preview),
        };
      }}
      execute={(values, options) => recount.changePrepaidUnits(id, metricId, bodyOf(values), {}, options)}
      done="The prepaid units have been changed."
    />
  ));
}
