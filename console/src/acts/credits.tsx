import type { Credit } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatAmount } from '../shared/amount.js';
import { Field, TextInput } from '../shared/field.js';
import { FormError } from '../shared/problem.js';
import { Act } from './act-dialog.js';
import { aText, type FormShape } from './form-search.js';

const GRANT = { amount: '', description: '', paid: '' };

/** The description is a text about the customer, which the service seals. */
const GRANT_SHAPE: FormShape<typeof GRANT> = { amount: aText, description: 'kept out', paid: aText };

interface GrantProps {
  readonly customerId: string;
  readonly currency: string;
}

export function GrantCreditAct({ customerId, currency }: GrantProps) {
  return (
    <Act
      label="Grant credit"
      title={`Grant credit to ${customerId}`}
      customerId={customerId}
      initial={GRANT}
      shape={GRANT_SHAPE}
      fields={({ amount, description, paid }, change) => (
        <>
          <Field label={`Amount in ${currency}`}>
            <TextInput
              inputMode="decimal"
              required
              value={amount}
              onChange={({ target }) => change({ amount: target.value })}
            />
          </Field>
          <Field label="Description">
            <TextInput value={description} onChange={({ target }) => change({ description: target.value })} />
          </Field>
          <Field label={`Selling price in ${currency}`} hint="Optional. The customer is invoiced for it.">
            <TextInput
              inputMode="decimal"
              value={paid}
              onChange={({ target }) => change({ paid: target.value })}
            />
          </Field>
        </>
      )}
      preview={({ amount, paid }) =>
        Promise.resolve({
          changes: [
            { name: 'Credit', now: '–', then: formatAmount(amountOf(amount), currency) },
            ...(paid === ''
              ? []
              : [{ name: 'Invoice', now: '–', then: formatAmount(amountOf(paid), currency) }]),
          ],
        })
      }
      act={({ amount, description, paid }, options) =>
        recount.createCredit(
          {
            customer_id: customerId,
            amount: amountOf(amount),
            currency_code: currency,
            ...(description === '' ? {} : { description }),
            ...(paid === '' ? {} : { amount_paid: amountOf(paid), amount_paid_currency_code: currency }),
          },
          options,
        )
      }
      done="The credit has been granted."
    />
  );
}

function amountOf(text: string): number {
  const amount = Number(text);
  if (!Number.isFinite(amount))
    throw new FormError(`"${text}" is not an amount. Write digits, with a point before the cents.`);
  return amount;
}

interface VoidCreditProps {
  readonly customerId: string;
  readonly credit: Credit;
}

export function VoidCreditAct({ customerId, credit }: VoidCreditProps) {
  const { credit_id: id, amount_remaining: left, currency, description } = credit;
  return (
    <Act
      label="Void credit"
      title={`Void the credit ${description ?? id} of ${customerId}`}
      look="danger"
      on={id}
      customerId={customerId}
      initial={{}}
      shape={{}}
      preview={() =>
        Promise.resolve({
          changes: [
            {
              name: 'Remaining',
              now: formatAmount(left, currency.code),
              then: formatAmount(0, currency.code),
            },
          ],
        })
      }
      act={(_values, options) => recount.voidCredit(id, options)}
      done="The credit has been voided."
    />
  );
}
