import type { Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Field, TextInput } from '../shared/field.js';
import { formatDay } from '../shared/instant.js';
import { FormError } from '../shared/problem.js';
import { Act } from './act-dialog.js';
import { BulkProgress, EVERYTHING, findMatching, queryOf, SelectionFields } from './bulk-selection.js';
import { CancelFields, CANCEL_INITIAL, cancelBody } from './cancel.js';
import { Choice, PlanChoice } from './field-options.js';
import { SWITCH_INITIAL, SwitchFields, switchTerms } from './switch-plan.js';

interface BulkProps {
  readonly customerId: string;
  readonly subscriptions: readonly Subscription[];
  readonly zone: string;
}

const ALONE = 'The invoice of the first one alone';

export function BulkActs(props: BulkProps) {
  return (
    <>
      <UpdateManyAct {...props} />
      <SwitchManyAct {...props} />
      <CancelManyAct {...props} />
    </>
  );
}

const RENEWAL = { keep: 'Leave as it is', stop: 'Turn off' };

function UpdateManyAct({ customerId, subscriptions, zone }: BulkProps) {
  return (
    <Act
      label="Change end of many"
      title={`Change end or renewal of many subscriptions of ${customerId}`}
      customerId={customerId}
      initial={{ ...EVERYTHING, renewal: 'keep', end: '' }}
      fields={(values, change) => (
        <>
          <SelectionFields value={values} subscriptions={subscriptions} mayBeAll={false} onChange={change} />
          <Choice
            label="Renewal"
            value={values.renewal}
            options={RENEWAL}
            onChange={(renewal) => change({ renewal })}
          />
          <Field label="New end" hint="00:00 UTC of this day. Empty: the end stays.">
            <TextInput
              type="date"
              value={values.end}
              onChange={({ target }) => change({ end: target.value })}
            />
          </Field>
        </>
      )}
      preview={async (values) => {
        const found = await findMatching(customerId, values, zone);
        const changes = [
          ...(values.end === '' ? [] : [`end on ${formatDay(values.end)}`]),
          ...(values.renewal === 'stop' ? ['no renewal'] : []),
        ];
        if (changes.length === 0) throw new FormError('Give a new end, or turn the renewal off.');
        return { changes: found.changes(changes.join(', ')) };
      }}
      act={({ renewal, end, ...selection }, options) =>
        recount.updateSubscriptions(
          {
            ...(renewal === 'stop' ? { turn_off_auto_renew: true } : {}),
            ...(end === '' ? {} : { end_date: end }),
          },
          { ...queryOf(customerId, selection), plan_id: selection.fromPlanId },
          options,
        )
      }
      progress={(requestId) => <BulkProgress customerId={customerId} requestId={requestId} />}
      done="The subscriptions have been changed."
    />
  );
}

function SwitchManyAct({ customerId, subscriptions, zone }: BulkProps) {
  return (
    <Act
      label="Switch many"
      title={`Switch many subscriptions of ${customerId}`}
      customerId={customerId}
      initial={{ ...EVERYTHING, ...SWITCH_INITIAL }}
      fields={(values, change) => (
        <>
          <SelectionFields value={values} subscriptions={subscriptions} mayBeAll={false} onChange={change} />
          <PlanChoice value={values.planId} onChange={(planId) => change({ planId })} />
          <SwitchFields value={values} onChange={change} />
        </>
      )}
      preview={async (values) => {
        const [found, plan] = await Promise.all([
          findMatching(customerId, values, zone),
          recount.getPlan(values.planId),
        ]);
        const body = { ...switchTerms(values), switch_plan_id: values.planId };
        const { invoices } = await recount.switchPlan(found.matching[0]!.subscription_id, body, {
          preview: true,
        });
        return {
          changes: found.changes(plan.plan_name),
          invoices: { caption: ALONE, now: [], then: invoices },
        };
      }}
      act={(values, options) =>
        recount.updateSubscriptions(
          { ...switchTerms(values), replace_plan_id: values.planId },
          { ...queryOf(customerId, values), plan_id: values.fromPlanId },
          options,
        )
      }
      progress={(requestId) => <BulkProgress customerId={customerId} requestId={requestId} />}
      done="The subscriptions have been switched."
    />
  );
}

function CancelManyAct({ customerId, subscriptions, zone }: BulkProps) {
  return (
    <Act
      label="Cancel many"
      title={`Cancel many subscriptions of ${customerId}`}
      look="danger"
      customerId={customerId}
      initial={{ ...EVERYTHING, ...CANCEL_INITIAL }}
      fields={(values, change) => (
        <>
          <SelectionFields value={values} subscriptions={subscriptions} mayBeAll onChange={change} />
          <CancelFields value={values} onChange={change} />
        </>
      )}
      preview={async (values) => {
        const found = await findMatching(customerId, values, zone);
        const [first] = found.matching;
        const { invoices } = await recount.cancelSubscription(first!.subscription_id, cancelBody(values), {
          preview: true,
        });
        return {
          changes: found.changes('ends at once'),
          invoices: { caption: ALONE, now: [], then: invoices },
        };
      }}
      act={(values, options) =>
        recount.cancelSubscriptions(cancelBody(values), queryOf(customerId, values), options)
      }
      progress={(requestId) => <BulkProgress customerId={customerId} requestId={requestId} />}
      done="The subscriptions have been cancelled."
    />
  );
}
