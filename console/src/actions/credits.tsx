import type { Credit } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { amountFormat, formatAmount, formatQuantity } from '../shared/amount.js';
import { digitsOf } from '../shared/digits.js';
import { Field, TextInput } from '../shared/field.js';
import { formatDay } from '../shared/instant.js';
import { fromLocalText } from '../shared/moment.js';
import { FormError } from '../shared/problem.js';
import { ActionDialog } from './action-dialog.js';
import { Choice } from './field-options.js';
import { readDay, readText, oneOf } from './form-search.js';

const GRANT = { amount: '', currency: '', description: '', expires: '', paid: '' };

interface GrantProps {
  readonly customerId: string;
  /** Time zone of the customer. */
  readonly zone: string;
  /** Currencies of the customer, its own first. */
  readonly currencies: readonly string[];
}

export function GrantCreditAction({ customerId, zone, currencies }: GrantProps) {
  const options = Object.fromEntries(currencies.map((code) => [code, code]));
  return (
    <ActionDialog
      label="Grant credit"
      title={`Grant credit to ${customerId}`}
      customerId={customerId}
      initial={{ ...GRANT, currency: currencies[0]! }}
      shape={{
        amount: readText,
        currency: oneOf<string>(options),
        // A text about the customer, which the service seals.
        description: 'kept out',
        expires: readDay,
        paid: readText,
      }}
      checked={['amount', 'amount_paid']}
      fields={({ amount, currency, description, expires, paid }, change, errorOf) => (
        <>
          {currencies.length > 1 && (
            <Choice
              label="Currency"
              value={currency}
              options={options}
              onChange={(code) => change({ currency: code })}
            />
          )}
          <Field label={`Amount in ${currency}`} error={errorOf('amount')}>
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
          <Field
            label={`Selling price in ${currency}`}
            hint="Optional. The customer is invoiced for it."
            error={errorOf('amount_paid')}
          >
            <TextInput
              inputMode="decimal"
              value={paid}
              onChange={({ target }) => change({ paid: target.value })}
            />
          </Field>
        </>
      )}
      preview={async ({ amount, currency, expires, paid }) => {
        const [granted, price] = [
          amountOf('amount', amount, currency),
          amountOf('amount_paid', paid, currency),
        ];
        if (granted <= 0) throw new FormError('The amount is not more than 0. Give a larger one.', 'amount');
        return {
          changes: [
            { name: 'Credit', now: '–', then: formatAmount(granted, currency) },
            ...(expires === '' ? [] : [{ name: 'Expires', now: '–', then: formatDay(expires) }]),
            ...(paid === '' ? [] : [{ name: 'Invoice', now: '–', then: formatAmount(price, currency) }]),
          ],
        };
      }}
      execute={({ amount, currency, description, expires, paid }, request) =>
        recount.createCredit(
          {
            customer_id: customerId,
            amount: Number(amount),
            currency_code: currency,
            ...(description === '' ? {} : { description }),
            ...(expires === '' ? {} : { expires_at: fromLocalText(`${expires}T00:00:00`, zone) }),
            ...(paid === '' ? {} : { amount_paid: Number(paid), amount_paid_currency_code: currency }),
          },
          request,
        )
      }
      done="The credit has been granted."
    />
  );
}

/** Amounts are below this one. */
const LIMIT = 10_000_000_000;

/** Reads an amount as the API does. @throws FormError for one that it refuses */
function amountOf(attr: string, text: string, currency: string): number {
  const amount = Number(text);
  const decimals = amountFormat(currency, 0).resolvedOptions().maximumFractionDigits ?? 2;
  const fault = !Number.isFinite(amount)
    ? `"${text}" is not an amount. Write digits, with a point before the decimals.`
    : amount < 0
      ? 'The amount is less than 0. Give a larger one.'
      : amount >= LIMIT
        ? `The amount is too large. Give less than ${formatQuantity(LIMIT)}.`
        : digitsOf(amount) > decimals
          ? `An amount of ${currency} has at most ${decimals} decimals. Round the amount.`
          : undefined;
  if (fault !== undefined) throw new FormError(fault, attr);
  return amount;
}

interface VoidCreditProps {
  readonly customerId: string;
  readonly credit: Credit;
}

export function VoidCreditAction({ customerId, credit }: VoidCreditProps) {
  const { credit_id: id, amount_remaining: left, currency, description } = credit;
  return (
    <ActionDialog
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
      execute={(_values, options) => recount.voidCredit(id, options)}
      done="The credit has been voided."
    />
  );
}
