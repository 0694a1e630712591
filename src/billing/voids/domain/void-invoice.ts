import { SnapshotTooShallow, type IssuedCommand } from '../../../kernel/decider.js';
import { DomainError } from '../../../kernel/errors.js';
import { derivedId, type Uuid, ascending } from '../../../kernel/ids.js';
import { HOUR, plusMicros, type Instant } from '../../../kernel/instant.js';
import { money, toStored } from '../../../kernel/money.js';
import { ChargeKey } from '../../accounts/domain/account-charges.js';
import { type AccountCredit, GRANTED_CREDIT } from '../../accounts/domain/account-credits.js';
import type { AccountInvoice } from '../../accounts/domain/account-invoices.js';
import { accountRevision, type AccountState } from '../../accounts/domain/account-state.js';
import type { AccountEvent } from '../../accounts/domain/events.js';
import type {
  ChargedAmount,
  ComputedInvoice,
  TermBillingStatus,
  VoidedInvoice,
} from '../../accounts/domain/event-data.js';

/** An invoice to void, from the full history: the account itself keeps only sums. */
export interface InvoiceToVoid {
  readonly invoice: Pick<ComputedInvoice, 'invoiceId' | 'customerKey' | 'currency' | 'costDue' | 'drawdowns'>;
  readonly charges: readonly ChargedAmount[];
  /** The terms it charged, itself or by their add-ons. */
  readonly charged: readonly Uuid[];
  /** State of charged terms that were settled at `accountRevision`: the account has dropped it. */
  readonly recalled: VoidedInvoice['recalled'];
  readonly settled: readonly TermBillingStatus[];
  readonly accountRevision: string | null;
  /** Ends of the account's terms: boundaries, also where nothing of the term falls due. */
  readonly termEnds: readonly Instant[];
  readonly rebill: boolean;
}

/** Delay until a voided invoice is billed again where the account has no boundary. */
const REBILL_DELAY = HOUR;

/**
 * Voids an unpaid invoice (docs/billing.md#voids): removes its lines from the sums, returns its drawdowns, turns earlier
 * reductions of it into a credit, and voids what is left of a credit that it sold.
 * @throws DomainError `invalid_state` unless it is issued and unpaid, `conflict` when the account has moved
 */
export function voidInvoice(
  command: IssuedCommand<InvoiceToVoid>,
  state: AccountState,
): readonly AccountEvent[] {
  const { invoice, now, commandId } = command;
  const { invoiceId, currency, customerKey } = invoice;
  const known = state.invoices.get(invoiceId);
  if (!known && state.isFromSnapshot) throw new SnapshotTooShallow();
  const { number, costDue } = requireUnpaid(known);
  if (command.accountRevision !== accountRevision(state)) {
    throw new DomainError('conflict', 'The account has changed since it was read. Try again.');
  }
  const { charges, recalled, rebill } = command;
  const stored = (minor: bigint) => toStored(money(minor, currency));
  const terms = statusesAfterVoid(command, state);
  const { drawdowns } = invoice;
  const voided = { invoiceId, number, customerKey, currency, voidedAt: now, charges, drawdowns, terms };
  const events: AccountEvent[] = [{ type: 'InvoiceVoided', data: { ...voided, recalled, rebill } }];

  const reduced = BigInt(invoice.costDue.amount) - costDue;
  if (reduced > 0n) {
    const credit = { customerKey, currency, amount: stored(reduced), description: GRANTED_CREDIT };
    const times = { effectiveAt: now, expiresAt: null, grantedAt: now };
    const creditId = derivedId(commandId, 'granted credit');
    events.push({ type: 'CreditGranted', data: { ...credit, ...times, creditId, purchase: null } });
  }
  const sold = [...state.credits.values()].find(({ purchase }) => purchase?.invoiceId === invoiceId);
  if (sold && sold.remaining > 0n) {
    const data = { creditId: sold.creditId, amount: stored(sold.remaining), voidedAt: now };
    events.push({ type: 'CreditVoided', data });
  }
  for (const { creditId, amount } of drawdowns) {
    const credit = creditOfVoidedPurchase(creditId, state);
    if (!credit) continue;
    const returned = stored(credit.remaining + BigInt(amount.amount));
    events.push({ type: 'CreditVoided', data: { creditId, amount: returned, voidedAt: now } });
  }
  return events;
}

/**
 * Returns a credit whose purchase was voided after all of it was drawn: nothing was left to void then. An amount that a
 * voided invoice returns to it is void too, as it was never paid (docs/billing.md#voids).
 */
function creditOfVoidedPurchase(creditId: Uuid, state: AccountState): AccountCredit | undefined {
  const credit = state.credits.get(creditId);
  if (!credit?.purchase || credit.isVoided) return undefined;
  const purchase = state.invoices.get(credit.purchase.invoiceId);
  if (!purchase && state.isFromSnapshot) throw new SnapshotTooShallow();
  return purchase?.status === 'voided' ? credit : undefined;
}

function requireUnpaid(invoice: AccountInvoice | undefined): {
  readonly number: string;
  readonly costDue: bigint;
} {
  if (!invoice || invoice.number === null) {
    throw new DomainError(
      'invalid_state',
      'Only an issued invoice can be voided. Wait until it has its number.',
    );
  }
  if (invoice.status === 'voided') {
    throw new DomainError(
      'invalid_state',
      `Invoice ${invoice.number} is voided already. Read it from GET /api/invoices/{id}/.`,
    );
  }
  if (invoice.status === 'paid') {
    throw new DomainError('invalid_state', 'A paid invoice cannot be voided. Grant a credit instead.');
  }
  return { number: invoice.number, costDue: invoice.costDue };
}

/** Makes each charged term due again: at the next boundary, within the hour without one, at once with `rebill`. */
function statusesAfterVoid(
  { charges, charged, settled, termEnds, rebill, now }: IssuedCommand<InvoiceToVoid>,
  state: AccountState,
): TermBillingStatus[] {
  const known = new Map([...state.terms.values(), ...settled].map((term) => [term.subscriptionId, term]));
  const owners = new Set(charges.map(({ chargeKey }) => ChargeKey.parse(chargeKey).owner));
  const next = rebill ? { at: now, graced: false } : nextBoundary(state, termEnds, now);
  return charged.map((subscriptionId) => {
    const billingStatus = known.get(subscriptionId)!;
    const { nextDueAt } = billingStatus;
    const due =
      nextDueAt !== null && nextDueAt <= next.at
        ? billingStatus
        : { ...billingStatus, nextDueAt: next.at, nextDueGraced: next.graced };
    const { addons } = due;
    return {
      ...due,
      settled: false,
      ...(addons && {
        addons: addons.map((addon) => ({
          ...addon,
          billed: addon.billed && !owners.has(addon.addonSubscriptionId),
        })),
      }),
    };
  });
}

function nextBoundary(
  { terms }: AccountState,
  termEnds: readonly Instant[],
  now: Instant,
): { at: Instant; graced: boolean } {
  const due = [...terms.values()].flatMap(({ nextDueAt, nextDueGraced }) =>
    nextDueAt === null ? [] : [{ at: nextDueAt, graced: nextDueGraced }],
  );
  const ends = termEnds.flatMap((at) => (at > now ? [{ at, graced: true }] : []));
  const [first] = [...due, ...ends].sort((a, b) => ascending(a.at, b.at));
  return first ?? { at: plusMicros(now, REBILL_DELAY), graced: false };
}
