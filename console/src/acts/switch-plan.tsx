import type { Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Act } from './act-dialog.js';
import { Choice, INVOICING, PlanChoice } from './field-options.js';
import { compareInvoices } from './preview-invoices.js';

interface Values {
  readonly planId: string;
  readonly invoicing: keyof typeof INVOICING;
  readonly usage: keyof typeof USAGE;
}

const USAGE = {
  transfer_to_new_subscription: 'Count it on the new plan',
  keep_separate: 'Bill it on the old plan',
};

const INITIAL: Values = { planId: '', invoicing: 'invoice_now', usage: 'transfer_to_new_subscription' };

const bodyOf = ({ planId, invoicing, usage }: Values) => ({
  switch_plan_id: planId,
  invoicing_behavior: invoicing,
  usage_behavior: usage,
});

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
      customerId={customerId}
      initial={INITIAL}
      fields={({ planId, invoicing, usage }, change) => (
        <>
          <PlanChoice value={planId} onChange={(to) => change({ planId: to })} />
          <Choice
            label="Invoice"
            value={invoicing}
            options={INVOICING}
            onChange={(value) => change({ invoicing: value as Values['invoicing'] })}
          />
          <Choice
            label="Usage so far"
            value={usage}
            options={USAGE}
            onChange={(value) => change({ usage: value as Values['usage'] })}
          />
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
