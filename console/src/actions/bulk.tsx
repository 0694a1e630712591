import type { Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Field, TextInput } from '../shared/field.js';
import { fromLocalText } from '../shared/moment.js';
import { FormError } from '../shared/problem.js';
import { ActionDialog } from './action-dialog.js';
import {
  BulkProgress,
  EVERYTHING,
  previewOfMany,
  queryOf,
  SELECTION_SHAPE,
  SelectionFields,
  type Selection,
} from './bulk-selection.js';
import { CANCEL_CHOICES, CANCEL_INITIAL, CANCEL_SHAPE, cancelBody } from './cancel.js';
import { Choice, Choices, PlanChoice } from './field-options.js';
import { readDay, oneOf } from './form-search.js';
import {
  SWITCH_INITIAL,
  SWITCH_CHOICES,
  SWITCH_SHAPE,
  switchTerms,
  type SwitchValues,
} from './switch-plan.js';

interface BulkProps {
  readonly customerId: string;
  readonly subscriptions: readonly Subscription[];
  readonly zone: string;
}

export function BulkActions(props: BulkProps) {
  return (
    <>
      <UpdateManyAction {...props} />
      <SwitchManyAction {...props} />
      <CancelManyAction {...props} />
    </>
  );
}

const queryOfPlan = (customerId: string, selection: Selection) => ({
  ...queryOf(customerId, selection),
  plan_id: selection.fromPlanId,
});

const termsOf = ({ renewal, end }: { readonly renewal: string; readonly end: string }, zone: string) => ({
  ...(renewal === 'stop' ? { turn_off_auto_renew: true } : {}),
  ...(end === '' ? {} : { end_date: fromLocalText(`${end}T00:00:00`, zone) }),
});

const replacementOf = (values: SwitchValues) => ({
  ...switchTerms(values),
  replace_plan_id: values.planId,
});

const RENEWAL = { keep: 'Leave as it is', stop: 'Turn off' };

function UpdateManyAction({ customerId, subscriptions, zone }: BulkProps) {
  return (
    <ActionDialog
      label="Change end dates"
      name="change-end-of-many"
      title={`Change the end or renewal of several subscriptions of ${customerId}`}
      customerId={customerId}
      initial={{ ...EVERYTHING, renewal: 'keep', end: '' }}
      shape={{ ...SELECTION_SHAPE, renewal: oneOf<string>(RENEWAL), end: readDay }}
      fields={(values, change) => (
        <>
          <SelectionFields value={values} subscriptions={subscriptions} mayBeAll={false} onChange={change} />
          <Choice
            label="Renewal"
            value={values.renewal}
            options={RENEWAL}
            onChange={(renewal) => change({ renewal })}
          />
          <Field
            label="New end"
            hint={`Midnight of this day in ${zone.replaceAll('_', ' ')}. Leave empty to keep the end.`}
          >
            <TextInput
              type="date"
              value={values.end}
              onChange={({ target }) => change({ end: target.value })}
            />
          </Field>
        </>
      )}
      preview={async (values) => {
        if (values.end === '' && values.renewal === 'keep')
          throw new FormError('Give a new end, or turn the renewal off.');
        const preview = await recount.updateSubscriptions(termsOf(values, zone), {
          ...queryOfPlan(customerId, values),
          preview: true,
        });
        return previewOfMany(customerId, zone, preview, 'add_to_next_invoice');
      }}
      execute={(values, options) =>
        recount.updateSubscriptions(termsOf(values, zone), queryOfPlan(customerId, values), options)
      }
      progress={(requestId) => <BulkProgress customerId={customerId} requestId={requestId} />}
      done="The subscriptions have been changed."
    />
  );
}

function SwitchManyAction({ customerId, subscriptions, zone }: BulkProps) {
  return (
    <ActionDialog
      label="Switch many"
      title={`Switch several subscriptions of ${customerId}`}
      customerId={customerId}
      initial={{ ...EVERYTHING, ...SWITCH_INITIAL }}
      shape={{ ...SELECTION_SHAPE, ...SWITCH_SHAPE }}
      fields={(values, change) => (
        <>
          <SelectionFields value={values} subscriptions={subscriptions} mayBeAll={false} onChange={change} />
          <PlanChoice value={values.planId} onChange={(planId) => change({ planId })} />
          <Choices of={SWITCH_CHOICES} value={values} onChange={change} />
        </>
      )}
      preview={async (values) => {
        const preview = await recount.updateSubscriptions(replacementOf(values), {
          ...queryOfPlan(customerId, values),
          preview: true,
        });
        return previewOfMany(customerId, zone, preview, values.invoicing);
      }}
      execute={(values, options) =>
        recount.updateSubscriptions(replacementOf(values), queryOfPlan(customerId, values), options)
      }
      progress={(requestId) => <BulkProgress customerId={customerId} requestId={requestId} />}
      done="The subscriptions have been switched."
    />
  );
}

function CancelManyAction({ customerId, subscriptions, zone }: BulkProps) {
  return (
    <ActionDialog
      label="Cancel many"
      title={`Cancel several subscriptions of ${customerId}`}
      look="danger"
      customerId={customerId}
      initial={{ ...EVERYTHING, ...CANCEL_INITIAL }}
      shape={{ ...SELECTION_SHAPE, ...CANCEL_SHAPE }}
      fields={(values, change) => (
        <>
          <SelectionFields value={values} subscriptions={subscriptions} mayBeAll onChange={change} />
          <Choices of={CANCEL_CHOICES} value={values} onChange={change} />
        </>
      )}
      preview={async (values) => {
        const preview = await recount.cancelSubscriptions(cancelBody(values), {
          ...queryOf(customerId, values),
          preview: true,
        });
        return previewOfMany(customerId, zone, preview, values.invoicing);
      }}
      execute={(values, options) =>
        recount.cancelSubscriptions(cancelBody(values), queryOf(customerId, values), options)
      }
      progress={(requestId) => <BulkProgress customerId={customerId} requestId={requestId} />}
      done="The subscriptions have been cancelled."
    />
  );
}
