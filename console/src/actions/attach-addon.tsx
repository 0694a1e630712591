import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatAmount } from '../shared/amount.js';
import { Field, SelectInput, TextInput } from '../shared/field.js';
import { ActionDialog } from './action-dialog.js';
import { readNumber, readText, type FormShape } from './form-search.js';
import { NEW_INVOICE } from './preview-invoices.js';

interface AttachProps {
  readonly customerId: string;
  readonly subscription: Subscription;
}

interface Values {
  readonly addonId: string;
  readonly quantity: string;
}

const INITIAL: Values = { addonId: '', quantity: '1' };

const SHAPE: FormShape<Values> = { addonId: readText, quantity: readNumber };

const bodyOf = ({ addonId, quantity }: Values) => ({ addon_id: addonId, quantity: Number(quantity) });

export function AttachAddonAction({ customerId, subscription }: AttachProps) {
  const { data: addons } = useQuery({
    queryKey: ['addons', 'all'],
    queryFn: ({ signal }) => recount.listAddons({ limit: 1000 }, { signal }).all(),
  });
  return (
    <ActionDialog
      label="Attach add-on"
      title={`Attach an add-on to ${subscription.billing_plan.plan_name} of ${customerId}`}
      on={subscription.subscription_id}
      customerId={customerId}
      initial={INITIAL}
      shape={SHAPE}
      fields={({ addonId, quantity }, change) => (
        <>
          <Field label="Add-on">
            <SelectInput
              required
              value={addonId}
              onChange={({ target }) => change({ addonId: target.value })}
            >
              <option value="">Choose an add-on</option>
              {addons?.map(({ addon_id: id, addon_name: name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectInput>
          </Field>
          <Field label="Quantity">
            <TextInput
              type="number"
              min={1}
              required
              value={quantity}
              onChange={({ target }) => change({ quantity: target.value })}
            />
          </Field>
        </>
      )}
      preview={async ({ addonId, quantity }) => {
        const [{ addon_name: name, versions }, preview] = await Promise.all([
          recount.getAddon(addonId),
          recount.attachAddon(subscription.subscription_id, bodyOf({ addonId, quantity }), { preview: true }),
        ]);
        const version = versions.at(-1);
        return {
          invoices: { ...NEW_INVOICE, now: [], then: preview.invoices },
          changes: [
            { name: 'Add-on', now: '–', then: `${quantity} × ${name}` },
            ...(version?.recurring_charges ?? []).map((charge) => ({
              name: charge.name,
              now: '–',
              then: `${formatAmount(charge.amount, version!.currency.code)} each, ${version!.billing_frequency.replace('_', ' ')}`,
            })),
          ],
        };
      }}
      execute={({ addonId, quantity }, options) =>
        recount.attachAddon(subscription.subscription_id, bodyOf({ addonId, quantity }), {}, options)
      }
      done="The add-on has been attached."
    />
  );
}
