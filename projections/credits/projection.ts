import { grantsOf } from '../../src/billing/accounts/domain/account-credits.js';
import type { CreditGrant } from '../../src/billing/accounts/domain/event-data.js';
import { type CreditDrawdownRow, type CreditRow, creditRow } from '../../src/billing/read-models/credits.js';
import type { Uuid } from '../../src/kernel/ids.js';
import {
  addMoney,
  fromExact,
  fromStored,
  subtractMoney,
  toDecimal,
  type StoredMoney,
} from '../../src/kernel/money.js';
import { quantity } from '../../src/kernel/quantity.js';
import { defineProjection } from '../events.js';
import { change, put, type RowChange } from '../runtime/projection.js';
import { creditDrawdowns, credits } from './tables.js';

/** Credits and their drawdowns. A query decides whether a credit has expired, as no event says so. */
export const creditsProjection = defineProjection({
  name: 'credits',
  version: 2,
  tables: { credits, credit_drawdowns: creditDrawdowns },
  on: {
    CreditGranted: ({ data, metadata: { org } }) => [granted(org, data)],
    CreditDescriptionChanged: ({ data, metadata: { org } }) => [
      changed(org, data.creditId, (row) => ({
        ...row,
        description: data.description,
        sealed_description: data.sealedDescription,
      })),
    ],
    CreditExpiryChanged: ({ data, metadata: { org } }) => [
      changed(org, data.creditId, (row) => ({ ...row, expires_at: data.expiresAt })),
    ],
    CreditVoided: ({ data, metadata: { org } }) => [
      changed(org, data.creditId, (row) => ({
        ...row,
        amount_remaining: left(row, data.amount),
        voided_at: data.voidedAt,
      })),
    ],
    InvoiceComputed: ({ data, metadata: { org } }) => [
      ...data.drawdowns.flatMap(({ creditId, amount }) => {
        const key = { org, credit_id: creditId, invoice_id: data.invoiceId };
        return [
          changed(org, creditId, (row) => ({ ...row, amount_remaining: left(row, amount) })),
          put<CreditDrawdownRow>('credit_drawdowns', key, {
            ...key,
            amount: toDecimal(fromStored(amount)),
            applied_at: data.issuedAt,
          }),
        ];
      }),
      ...grantsOf(data).map((grant) => granted(org, grant)),
    ],
    InvoiceVoided: ({ data, metadata: { org } }) =>
      data.drawdowns.flatMap(({ creditId, amount }) => [
        changed(org, creditId, (row) => ({ ...row, amount_remaining: withBack(row, amount) })),
        change<CreditDrawdownRow>(
          'credit_drawdowns',
          { org, credit_id: creditId, invoice_id: data.invoiceId },
          () => undefined,
        ),
      ]),
  },
});

const granted = (org: Uuid, grant: CreditGrant): RowChange =>
  put<CreditRow>('credits', { org, credit_id: grant.creditId }, creditRow(org, grant));

const changed = (org: Uuid, creditId: Uuid, next: (row: CreditRow) => CreditRow): RowChange =>
  change<CreditRow>('credits', { org, credit_id: creditId }, (row) => row && next(row));

/** A voided credit stays empty, also when the void of an invoice restores a part of it. */
const withBack = (
  { amount_remaining: before, voided_at: voidedAt }: CreditRow,
  amount: StoredMoney,
): string =>
  voidedAt !== null
    ? before
    : toDecimal(addMoney(fromExact(quantity(before), amount.currency), fromStored(amount)));

const left = ({ amount_remaining: before }: CreditRow, amount: StoredMoney): string =>
  toDecimal(subtractMoney(fromExact(quantity(before), amount.currency), fromStored(amount)));
