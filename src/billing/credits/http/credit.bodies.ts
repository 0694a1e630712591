import { Transform } from 'class-transformer';
import { IsOptional, IsString, Length, MaxLength, ValidateBy } from 'class-validator';
import { DomainError, invalidFields } from '../../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import {
  fromExact,
  isCurrency,
  isZeroMoney,
  minorUnits,
  toQuantity,
  toStored,
  type StoredMoney,
} from '../../../kernel/money.js';
import { compareQuantities, quantity } from '../../../kernel/quantity.js';
import { FieldSchema } from '../../../platform/http/openapi/field-schema.js';
import { ReferenceTo } from '../../../platform/http/references/reference-fields.js';
import { IsDecimalInRange, IsInstantText, Nullable } from '../../../platform/http/validation/validators.js';
import { requireLaterExpiry } from '../domain/credit-decisions.js';
import type { CreditUpdate } from '../change-credit.js';
import type { GrantCreditInput } from '../grant-credit.js';

const LONGEST_DESCRIPTION = 1_000;

/** Requires a currency of ISO 4217. An unknown one is `does_not_exist`, as the contract says for credits. */
const IsKnownCurrency = (): PropertyDecorator => (target, property) => {
  FieldSchema({ type: 'string', minLength: 3, description: 'A currency code of ISO 4217.' })(
    target,
    property,
  );
  Transform(({ value }) => (typeof value === 'string' ? value.trim().toUpperCase() : value))(
    target,
    property,
  );
  ValidateBy({
    name: 'does_not_exist',
    validator: {
      validate: (value) => typeof value === 'string' && isCurrency(value),
      defaultMessage: () => 'There is no currency with this code of ISO 4217. Check the code.',
    },
  })(target, property as string);
};

/** Body of `POST /api/credits/` (docs/contract.md#credits). */
export class GrantCreditBody {
  @ReferenceTo('customer') @IsString() @Length(1, 200) customer_id!: string;
  @IsDecimalInRange('0', '9999999999.999999') amount!: string;
  @IsKnownCurrency() currency_code!: string;
  @IsOptional() @IsString() @MaxLength(LONGEST_DESCRIPTION) description?: string;
  @IsOptional() @IsInstantText() effective_at?: Instant;
  @IsOptional() @IsInstantText() expires_at?: Instant;
  @IsOptional() @IsDecimalInRange('0', '9999999999.999999') amount_paid?: string;
  @IsOptional() @IsKnownCurrency() amount_paid_currency_code?: string;
}

/** Body of `POST /api/credits/{credit_id}/update/` (docs/contract.md#update-a-credit): what is left out stays, null clears the expiry. */
export class UpdateCreditBody {
  @IsOptional() @IsString() @MaxLength(LONGEST_DESCRIPTION) description?: string;
  @Nullable() @IsInstantText() expires_at?: Instant | null;
}

/** @throws DomainError for an amount of 0 or with fractions of a minor unit, or a price that cannot be charged */
export function toGrant(org: Uuid, body: GrantCreditBody): GrantCreditInput {
  const amount = moneyOf(body.amount, body.currency_code, 'amount');
  if (amount === null) {
    throw invalidFields({
      code: 'min_value',
      detail: 'The amount is not more than 0. Give a larger one.',
      attr: 'amount',
    });
  }
  const { effective_at: effectiveAt = null, expires_at: expiresAt = null } = body;
  requireLaterExpiry(expiresAt, effectiveAt);
  return {
    customerKey: customerKeyOf(org, body.customer_id),
    currency: body.currency_code,
    amount,
    description: body.description ?? null,
    effectiveAt,
    expiresAt,
    amountPaid: priceOf(body),
  };
}

export const toCreditChanges = ({ description, expires_at: expiresAt }: UpdateCreditBody): CreditUpdate => ({
  ...(description === undefined ? {} : { description }),
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

function priceOf(body: GrantCreditBody): StoredMoney | null {
  const { amount_paid: amountPaid = '0', amount_paid_currency_code: currency } = body;
  if (amountPaid === '0') return null;
  if (currency === undefined) {
    const detail = 'A credit with an amount_paid is paid in a currency. Give amount_paid_currency_code.';
    throw invalidFields({ code: 'required', detail, attr: 'amount_paid_currency_code' });
  }
  if (currency !== body.currency_code) {
    throw new DomainError(
      'invalid_operation',
      'A credit is sold in its own currency. Give amount_paid_currency_code as currency_code.',
    );
  }
  return moneyOf(amountPaid, currency, 'amount_paid');
}

/** Returns null for 0. */
function moneyOf(text: string, currency: string, attr: string): StoredMoney | null {
  const exact = quantity(text);
  const amount = fromExact(exact, currency);
  if (compareQuantities(toQuantity(amount), exact) !== 0) {
    const detail = `An amount of ${currency} has at most ${minorUnits(currency)} decimals. Round the amount.`;
    throw invalidFields({ code: 'invalid', detail, attr });
  }
  return isZeroMoney(amount) ? null : toStored(amount);
}
