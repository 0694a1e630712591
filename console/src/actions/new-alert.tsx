import { useQuery } from '@tanstack/react-query';
import type { CreateUsageAlertBody } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { metricsQuery } from '../api/metrics.js';
import { formatQuantity } from '../shared/amount.js';
import { Create } from './create.js';
import type { FormField } from './form-field.js';
import { readText, oneOf } from './form-search.js';

const WATCHED: Readonly<Record<string, string>> = {
  units: 'units used in a period',
  amount: 'amount charged for a period',
};

/** Form for an alert that watches the usage of a customer. */
export function NewAlert({ customerId }: { readonly customerId: string }) {
  const { data: metrics = [] } = useQuery(metricsQuery);
  return (
    <Create
      label="New alert"
      fields={({ threshold_type: type = 'units' }): readonly FormField[] => [
        { name: 'name', label: 'Name', isRequired: true },
        {
          name: 'metric_id',
          label: 'Metric',
          isRequired: true,
          options: {
            '': 'Choose a metric',
            ...Object.fromEntries(metrics.map(({ metric_id: id, metric_name: name }) => [id, name])),
          },
        },
        {
          name: 'threshold_type',
          label: 'Watches',
          options: WATCHED,
        },
        {
          name: 'threshold',
          label: 'Threshold',
          hint: type === 'units' ? 'In units of the metric.' : 'In the currency of the subscription.',
          isNumber: true,
          isRequired: true,
        },
      ]}
      shape={{ name: readText, metric_id: readText, threshold_type: oneOf(WATCHED), threshold: readText }}
      create={(body: CreateUsageAlertBody, options) =>
        recount.createUsageAlert({ ...body, customer_id: customerId }, options)
      }
      made={({ name, threshold }) => (
        <p>
          The alert {name} sends the webhook <code>usage_alert.triggered</code> when a period reaches{' '}
          {formatQuantity(threshold)}.
        </p>
      )}
    />
  );
}
