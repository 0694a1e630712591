import { type Uuid, ascending } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { StoredMoney } from '../../../kernel/money.js';
import type { ComputedInvoice, CreditGrant } from './event-data.js';

/** An amount that an invoice drew from a credit. */
interface Drawdown {
  readonly invoiceId: Uuid;
  readonly amount: StoredMoney;
  readonly appliedAt: Instant;
}

/** A credit with what is left of it. */
export interface AccountCredit extends CreditGrant {
  /** Minor units that are neither drawn nor voided; never below 0. Past the expiry they cannot be drawn. */
  readonly remaining: bigint;
  readonly drawdowns: readonly Drawdown[];
  /** True once it was voided: an amount that a voided invoice returns to it is void too. */
  readonly isVoided: boolean;
}

type Credits = ReadonlyMap<Uuid, AccountCredit>;

/** Tells an active credit: something is left and it has not expired (docs/contract.md#credit). It need not be effective yet. */
export const isActiveCredit = ({ remaining, expiresAt }: AccountCredit, at: Instant): boolean =>
  remaining > 0n && (expiresAt === null || expiresAt > at);

/** Lists the credits that an invoice may draw from, in the order of docs/billing.md#credits. */
export const drawableCredits = (credits: Credits, at: Instant): AccountCredit[] =>
  [...credits.values()]
    .filter((credit) => isActiveCredit(credit, at) && credit.effectiveAt <= at)
    // The map is in the order of creation, and sorting keeps it where all else is equal.
    .sort((a, b) => byExpiry(a, b) || freeBeforeSold(a, b) || ascending(a.effectiveAt, b.effectiveAt));

const freeBeforeSold = (a: AccountCredit, b: AccountCredit): number =>
  Number(a.purchase !== null) - Number(b.purchase !== null);

function byExpiry({ expiresAt: a }: AccountCredit, { expiresAt: b }: AccountCredit): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return ascending(a, b);
}

export const withGrant = (credits: Credits, grant: CreditGrant): Credits =>
  new Map(credits).set(grant.creditId, {
    ...grant,
    remaining: BigInt(grant.amount.amount),
    drawdowns: [],
    isVoided: false,
  });

export const withChangedCredit = (
  credits: Credits,
  creditId: Uuid,
  changes: Partial<AccountCredit>,
): Credits => new Map(credits).set(creditId, { ...credits.get(creditId)!, ...changes });

/** Applies an invoice: draws from credits and adds the credits it grants. */
export function withInvoiceCredits(credits: Credits, invoice: ComputedInvoice): Credits {
  let after = credits;
  for (const { creditId, amount } of invoice.drawdowns) {
    const { remaining, drawdowns } = after.get(creditId)!;
    const drawdown = { invoiceId: invoice.invoiceId, amount, appliedAt: invoice.issuedAt };
    after = withChangedCredit(after, creditId, {
      remaining: remaining - BigInt(amount.amount),
      drawdowns: [...drawdowns, drawdown],
    });
  }
  for (const grant of grantsOf(invoice)) after = withGrant(after, grant);
  return after;
}

/** Lists the credits that a negative total grants: without expiry, effective at once. */
export const grantsOf = ({ grants, customerKey, currency, issuedAt }: ComputedInvoice): CreditGrant[] =>
  grants.map(({ creditId, amount }) => ({
    creditId,
    customerKey,
    currency,
    amount,
    description: GRANTED_CREDIT,
    effectiveAt: issuedAt,
    expiresAt: null,
    grantedAt: issuedAt,
    purchase: null,
  }));

/** Description of such a credit, and name of its line (docs/billing.md#negative-totals). */
export const GRANTED_CREDIT = 'Granted Credit';
