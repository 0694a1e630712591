import type { Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Act } from './act-dialog.js';
import { Choice, INVOICING, PlanChoice } from './field-options.js';
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

interface SwitchFieldsProps {
  readonly value: SwitchValues;
  readonly onChange: (part: Partial<SwitchValues>) => void;
}

/** Options for the invoice of a switch, and for the usage so far. */
export function SwitchFields({ value: { invoicing, usage }, onChange }: SwitchFieldsProps) {
  return (
    <>
      <Choice
        label="Invoice"
        value={invoicing}
        options={INVOICING}
        onChange={(value) => onChange({ invoicing: value as SwitchValues['invoicing'] })}
      />
      <Choice
        label="Usage so far"
        value={usage}
        options={USAGE}
        onChange={(value) => onChange({ usage: value as SwitchValues['usage'] })}
      />
    </>
  );
}

interface SwitchProps {
  readonly customerId: string;
  readonly subscription: Subscription;
}

export function SwitchPlanAct({ customerId, subscription }: SwitchProps) {
  const { subscription_id: id, billing_plan: plan } = subscription;
  return (
    <Act
      label="Switch plan"
      title={`Switch ${customerId} from ${plan.plan_name}`}
      on={id}
      customerId={customerId}
      initial={SWITCH_INITIAL}
      fields={(values, change) => (
        <>
          <PlanChoice
            value={values.planId}
            except={plan.version_id}
            onChange={(planId) => change({ planId })}
          />
          <SwitchFields value={values} onChange={change} />
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
      act={(values, options) => recount.switchPlan(id, bodyOf(values), {}, options)}
      done="The plan has been switched."
    />
  );
}
