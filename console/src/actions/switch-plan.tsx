import type { Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { ActionDialog } from './action-dialog.js';
import { Choices, INVOICING, PlanChoice } from './field-options.js';
import { readText, oneOf, type FormShape } from './form-search.js';
import { compareInvoices } from './preview-invoices.js';

export interface SwitchValues {
  readonly planId: string;
  readonly invoicing: keyof typeof INVOICING;
  readonly usage: keyof typeof USAGE;
}

const USAGE = {
  transfer_to_new_subscription: 'Count it on the new plan',
  keep_separate: 'Bill it on the old plan',
};

export const SWITCH_INITIAL: SwitchValues = {
  planId: '',
  invoicing: 'invoice_now',
  usage: 'transfer_to_new_subscription',
};

export const switchTerms = ({ invoicing, usage }: SwitchValues) => ({
  invoicing_behavior: invoicing,
  usage_behavior: usage,
});

const bodyOf = (values: SwitchValues) => ({ ...switchTerms(values), switch_plan_id: values.planId });

/** Choices for the invoice of a switch, and for the usage so far. */
export const SWITCH_CHOICES = [
  { name: 'invoicing', label: 'Invoice', options: INVOICING },
  { name: 'usage', label: 'Usage so far', options: USAGE },
] as const;

export const SWITCH_SHAPE: FormShape<SwitchValues> = {
  planId: readText,
  invoicing: oneOf(INVOICING),
  usage: oneOf(USAGE),
};

interface SwitchProps {
  readonly customerId: string;
  readonly subscription: Subscription;
}

export function SwitchPlanAction({ customerId, subscription }: SwitchProps) {
  const { subscription_id: id, billing_plan: plan } = subscription;
  return (
    <ActionDialog
      label="Switch plan"
      title={`Switch ${customerId} from ${plan.plan_name}`}
      on={id}
      customerId={customerId}
      initial={SWITCH_INITIAL}
      shape={SWITCH_SHAPE}
      fields={(values, change) => (
        <>
          <PlanChoice
            value={values.planId}
            except={plan.version_id}
            onChange={(planId) => change({ planId })}
          />
          <Choices of={SWITCH_CHOICES} value={values} onChange={change} />
        </>
      )}
      preview={async (values) => {
        const [preview, { plan_name: name }] = await Promise.all([
          recount.switchPlan(id, bodyOf(values), { preview: true }),
          recount.getPlan(values.planId),
        ]);
        return {
          changes: [{ name: 'Plan', now: plan.plan_name, then: name }],
          invoices: await compareInvoices(customerId, values.invoicing, preview),
        };
      }}
      execute={(values, options) => recount.switchPlan(id, bodyOf(values), {}, options)}
      done="The plan has been switched."
    />
  );
}
