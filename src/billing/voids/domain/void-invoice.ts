import { SnapshotTooShallow, type Issued } from '../../../kernel/decider.js';
import { DomainError } from '../../../kernel/errors.js';
import { derivedId, type Uuid } from '../../../kernel/ids.js';
import { HOUR, plusMicros, type Instant } from '../../../kernel/instant.js';
import { money, toStored } from '../../../kernel/money.js';
import { inOrder } from '../../../kernel/order.js';
import { GRANTED_CREDIT } from '../../credits/domain/account-credits.js';
import type { AccountInvoice } from '../../invoices/domain/account-invoices.js';
import { accountRevision, type AccountState } from '../../accounts/domain/account-state.js';
import type { AccountEvent } from '../../accounts/domain/events.js';
import type {
  ChargedAmount,
  ComputedInvoice,
  TermBillingStatus,
  VoidedInvoice,
} from '../../accounts/domain/event-data.js';

/** An invoice as the log has it, of which the account remembers the sums only. */
export interface InvoiceToVoid {
  readonly invoice: Pick<ComputedInvoice, 'invoiceId' | 'customerKey' | 'currency' | 'costDue' | 'drawdowns'>;
  readonly charges: readonly ChargedAmount[];
  /** The terms it charged, itself or by their add-ons. */
  readonly charged: readonly Uuid[];
  /** For its terms that were settled at `accountRevision`: the parts that the account has dropped. */
  readonly recalled: VoidedInvoice['recalled'];
  readonly settled: readonly TermBillingStatus[];
  readonly accountRevision: string | null;
  /** A boundary of each of the account's terms, also where nothing of it falls due. */
  readonly termEnds: readonly Instant[];
  readonly rebill: boolean;
}

/** How soon what nothing else will bring to an invoice is billed. */
const AT_THE_LATEST = HOUR;

/**
 * Takes an unpaid invoice back (docs/architecture.md#billing-runs): its lines leave the sums, what it drew goes back to the
 * credits, what others had taken off it becomes a credit, and of a credit it sold what is left is void.
 * @throws DomainError `invalid_state` unless it is issued and unpaid, `conflict` when the account has moved
 */
export function voidInvoice(command: Issued<InvoiceToVoid>, state: AccountState): readonly AccountEvent[] {
  const { invoice, now, commandId } = command;
  const { invoiceId, currency, customerKey } = invoice;
  const known = state.invoices.get(invoiceId);
  if (!known && state.isFromSnapshot) throw new SnapshotTooShallow();
  const { number, costDue } = unpaid(known);
  if (command.accountRevision !== accountRevision(state)) {
    throw new DomainError('conflict', 'The account has changed since it was read. Try again.');
  }
  const { charges, recalled, rebill } = command;
  const stored = (minor: bigint) => toStored(money(minor, currency));
  const terms = dueAgain(command, state);
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
  return events;
}

function unpaid(invoice: AccountInvoice | undefined): { readonly number: string; readonly costDue: bigint } {
  if (!invoice || invoice.number === null) {
    throw new DomainError('invalid_state', 'Only an issued invoice can be voided.');
  }
  if (invoice.status === 'voided') {
    throw new DomainError('invalid_state', `Invoice ${invoice.number} is voided already.`);
  }
  if (invoice.status === 'paid') {
    throw new DomainError('invalid_state', 'A paid invoice cannot be voided.');
  }
  return { number: invoice.number, costDue: invoice.costDue };
}

/** With the account's next boundary, or within the hour when it has none; at once when that is asked for. */
function dueAgain(
  { charges, charged, settled, termEnds, rebill, now }: Issued<InvoiceToVoid>,
  state: AccountState,
): TermBillingStatus[] {
  const known = new Map([...state.terms.values(), ...settled].map((term) => [term.subscriptionId, term]));
  const withCostDue = new Set(charges.map(({ chargeKey }) => chargeKey.slice(0, chargeKey.indexOf('/'))));
  const next = rebill ? { at: now, graced: false } : nextBoundary(state, termEnds, now);
  return charged.map((subscriptionId) => {
    const standing = known.get(subscriptionId)!;
    const { nextDueAt } = standing;
    const due =
      nextDueAt !== null && nextDueAt <= next.at
        ? standing
        : { ...standing, nextDueAt: next.at, nextDueGraced: next.graced };
    const { addons } = due;
    return {
      ...due,
      settled: false,
      ...(addons && {
        addons: addons.map((it) => ({
          ...it,
          billed: it.billed && !withCostDue.has(it.addonSubscriptionId),
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
  const [first] = [...due, ...ends].sort((a, b) => inOrder(a.at, b.at));
  return first ?? { at: plusMicros(now, AT_THE_LATEST), graced: false };
}
