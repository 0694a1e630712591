import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatQuantity } from '../shared/amount.js';
import { Field, TextInput } from '../shared/field.js';
import { Act } from './act-dialog.js';
import { Choice, INVOICING } from './field-options.js';
import { compareInvoices } from './preview-invoices.js';

interface Values {
  readonly units: string;
  readonly invoicing: keyof typeof INVOICING;
}

const INITIAL: Values = { units: '', invoicing: 'invoice_now' };

const bodyOf = ({ units, invoicing }: Values) => ({
  units: Number(units),
  invoice_now: invoicing === 'invoice_now',
});

interface ChangeUnitsProps {
  readonly customerId: string;
  readonly subscription: Subscription;
}

/** One button for each prepaid component of the plan. */
export function ChangeUnitsActs({ customerId, subscription }: ChangeUnitsProps) {
  const { subscription_id: id, billing_plan: ref } = subscription;
  const { data: plan } = useQuery({
    queryKey: ['plans', 'one', ref.plan_id],
    queryFn: ({ signal }) => recount.getPlan(ref.plan_id, { signal }),
  });
  const version = plan?.versions.find(({ version_id: versionId }) => versionId === ref.version_id);
  const prepaid = version?.components.filter(({ prepaid_charge: charge }) => charge !== null) ?? [];
  return prepaid.map(({ billable_metric: { metric_id: metricId, metric_name: name } }) => (
    <Act
      key={metricId}
      label={`Change ${name}`}
      title={`Change prepaid ${name} of ${customerId}`}
      customerId={customerId}
      initial={INITIAL}
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
      preview={async (values) => ({
        changes: [{ name, now: '–', then: formatQuantity(Number(values.units)) }],
        invoices: await compareInvoices(
          customerId,
          values.invoicing,
          await recount.changePrepaidUnits(id, metricId, bodyOf(values), { preview: true }),
        ),
      })}
      act={(values, options) => recount.changePrepaidUnits(id, metricId, bodyOf(values), {}, options)}
      done="The prepaid units have been changed."
    />
  ));
}
