import { SnapshotTooShallow } from '../../../kernel/decider.js';
import { DomainError, invalidFields, unknownId } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import { money, toStored } from '../../../kernel/money.js';
import { isActiveCredit, type AccountCredit } from '../../accounts/domain/account-credits.js';
import type { AccountState } from '../../accounts/domain/account-state.js';
import type { AccountEvent } from '../../accounts/domain/events.js';
import type { ComputedInvoice, CreditGrant } from '../../accounts/domain/event-data.js';

/** Changes of a credit; an omitted field stays as it is. */
export interface CreditChanges {
  readonly sealedDescription?: string;
  /** Null if it never expires. */
  readonly expiresAt?: Instant | null;
}

/** Grants a credit. A sold credit and its invoice are one append; nothing else is on that invoice. */
export function grantCredit(
  credit: CreditGrant,
  invoice: ComputedInvoice | null,
  state: AccountState,
  now: Instant,
): readonly AccountEvent[] {
  if (state.credits.has(credit.creditId)) return [];
  requireFuture(credit.expiresAt, now);
  const granted: AccountEvent = { type: 'CreditGranted', data: credit };
  return invoice ? [granted, { type: 'InvoiceComputed', data: invoice }] : [granted];
}

/** Changes a credit. Only fields that differ are recorded. */
export function changeCredit(
  creditId: Uuid,
  { sealedDescription, expiresAt }: CreditChanges,
  state: AccountState,
  now: Instant,
): readonly AccountEvent[] {
  const credit = activeCredit(creditId, state, now, 'Only active credits can be updated');
  const events: AccountEvent[] = [];
  if (sealedDescription !== undefined && sealedDescription !== credit.sealedDescription) {
    const data = { creditId, description: null, sealedDescription };
    events.push({ type: 'CreditDescriptionChanged', data });
  }
  if (expiresAt !== undefined) {
    requireFuture(expiresAt, now);
    requireLaterExpiry(expiresAt, credit.effectiveAt);
    if (expiresAt !== credit.expiresAt) {
      events.push({ type: 'CreditExpiryChanged', data: { creditId, expiresAt } });
    }
  }
  return events;
}

/** Voids what is left of a credit; what was drawn stays drawn. */
export function voidCredit(creditId: Uuid, state: AccountState, now: Instant): readonly AccountEvent[] {
  const { remaining, currency } = activeCredit(creditId, state, now, 'Only active credits can be voided');
  const amount = toStored(money(remaining, currency));
  return [{ type: 'CreditVoided', data: { creditId, amount, voidedAt: now } }];
}

function activeCredit(creditId: Uuid, state: AccountState, now: Instant, refusal: string): AccountCredit {
  const credit = state.credits.get(creditId);
  if (!credit && state.isFromSnapshot) throw new SnapshotTooShallow();
  if (!credit) throw new DomainError('not_found', unknownId('credit'));
  if (!isActiveCredit(credit, now)) throw new DomainError('invalid_state', refusal);
  return credit;
}

function requireFuture(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt === null || expiresAt > now) return;
  const detail = 'Expiration date must be in the future';
  throw invalidFields({ code: 'invalid', detail, attr: 'expires_at' });
}

/**
 * Refuses a credit that could never be drawn from.
 * @param effectiveAt null: from now on
 */
export function requireLaterExpiry(expiresAt: Instant | null, effectiveAt: Instant | null): void {
  if (effectiveAt === null || expiresAt === null || expiresAt > effectiveAt) return;
  const detail = 'A credit expires after it has become effective. Give a later expiry.';
  throw invalidFields({ code: 'invalid', detail, attr: 'expires_at' });
}
