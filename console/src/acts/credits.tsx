import type { Credit } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatAmount } from '../shared/amount.js';
import { Field, TextInput } from '../shared/field.js';
import { formatDay } from '../shared/instant.js';
import { fromLocalText } from '../shared/moment.js';
import { FormError } from '../shared/problem.js';
import { Act } from './act-dialog.js';
import { Choice } from './field-options.js';
import { aDay, aText, oneOf } from './form-search.js';

const GRANT = { amount: '', currency: '', description: '', expires: '', paid: '' };

interface GrantProps {
  readonly customerId: string;
  /** Time zone of the customer. */
  readonly zone: string;
  /** Currencies of the customer, its own first. */
  readonly currencies: readonly string[];
}

export function GrantCreditAct({ customerId, zone, currencies }: GrantProps) {
  const options = Object.fromEntries(currencies.map((code) => [code, code]));
  return (
    <Act
      label="Grant credit"
      title={`Grant credit to ${customerId}`}
      customerId={customerId}
      initial={{ ...GRANT, currency: currencies[0]! }}
      shape={{
        amount: aText,
        currency: oneOf<string>(options),
        // A text about the customer, which the service seals.
        description: 'kept out',
        expires: aDay,
        paid: aText,
      }}
      fields={({ amount, currency, description, expires, paid }, change) => (
        <>
          {currencies.length > 1 && (
            <Choice
              label="Currency"
              value={currency}
              options={options}
              onChange={(code) => change({ currency: code })}
            />
          )}
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
          <Field
            label="Expires"
            hint={`Midnight of this day in ${zone.replaceAll('_', ' ')}. Leave empty for never.`}
          >
            <TextInput
              type="date"
              value={expires}
              onChange={({ target }) => change({ expires: target.value })}
            />
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
      preview={({ amount, currency, expires, paid }) =>
        Promise.resolve({
          changes: [
            { name: 'Credit', now: '–', then: formatAmount(amountOf(amount), currency) },
            ...(expires === '' ? [] : [{ name: 'Expires', now: '–', then: formatDay(expires) }]),
            ...(paid === ''
              ? []
              : [{ name: 'Invoice', now: '–', then: formatAmount(amountOf(paid), currency) }]),
          ],
        })
      }
      act={({ amount, currency, description, expires, paid }, request) =>
        recount.createCredit(
          {
            customer_id: customerId,
            amount: amountOf(amount),
            currency_code: currency,
            ...(description === '' ? {} : { description }),
            ...(expires === '' ? {} : { expires_at: fromLocalText(`${expires}T00:00:00`, zone) }),
            ...(paid === '' ? {} : { amount_paid: amountOf(paid), amount_paid_currency_code: currency }),
          },
          request,
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
