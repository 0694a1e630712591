import { requirePresent, type Customer } from '../../customer/domain/customer-state.js';
import type { Decider, IssuedCommand } from '../../kernel/decider.js';
import type { DomainEvent, EventSentences } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { MINUTE } from '../../kernel/instant.js';
import type { TermChanges } from './change-term.js';
import type { CancelTerms, SwitchTerms } from './events.js';

/**
 * Time for which other runs leave the terms of a bulk change to its own run, which invoices all of them. It bounds
 * the wait after a process died in between.
 */
export const BULK_RUN_TIMEOUT = 30n * MINUTE;

/** One change of several subscriptions of a customer, accepted or refused as a whole (docs/contract.md#update-by-filter). */
export type BulkChange =
  | { readonly type: 'ChangeTerm'; readonly changes: TermChanges }
  | { readonly type: 'CancelSubscription'; readonly terms: CancelTerms }
  /** Changes each term first, then switches it to the version that was chosen for it. */
  | {
      readonly type: 'SwitchPlan';
      readonly changes: TermChanges;
      readonly terms: SwitchTerms;
      readonly to: readonly ChosenVersion[];
    };

interface ChosenVersion {
  readonly subscriptionId: Uuid;
  readonly planId: Uuid;
  readonly versionId: Uuid;
  /** Id of the new subscription, which has its reservation. */
  readonly successorId: Uuid;
}

/** Change as the request asks for it; a switch names the plan, and its versions are chosen later. */
export type RequestedChange =
  | Exclude<BulkChange, { readonly type: 'SwitchPlan' }>
  | {
      readonly type: 'SwitchPlan';
      readonly changes: TermChanges;
      readonly terms: SwitchTerms;
      readonly replacePlanId: Uuid;
    };

/** Tells whether a change is invoiced at once, by one run per account. */
export const isInvoicedNow = (
  change: Pick<Extract<BulkChange, { terms: unknown }>, 'type' | 'terms'> | { readonly type: 'ChangeTerm' },
): boolean => change.type !== 'ChangeTerm' && change.terms.invoicing === 'invoice_now';

/** Types of the commands that a stored change of each kind runs. */
const TYPES = { change: 'ChangeTerm', cancel: 'CancelSubscription', switch: 'SwitchPlan' } as const;

type Stored<Kind extends keyof typeof TYPES> = { readonly kind: Kind } & Omit<
  Extract<BulkChange, { readonly type: (typeof TYPES)[Kind] }>,
  'type'
>;

/** Form of a change in `BulkChangeAccepted`. */
export type StoredBulkChange = Stored<'change'> | Stored<'cancel'> | Stored<'switch'>;

const KINDS = { ChangeTerm: 'change', CancelSubscription: 'cancel', SwitchPlan: 'switch' } as const;

const toStoredChange = ({ type, ...change }: BulkChange): StoredBulkChange =>
  ({ kind: KINDS[type], ...change }) as StoredBulkChange;

export const fromStoredChange = ({ kind, ...change }: StoredBulkChange): BulkChange =>
  ({ type: TYPES[kind], ...change }) as BulkChange;

/** Records the decision on a bulk change; each subscription follows in its own stream. */
export type BulkChangeEvent = DomainEvent<
  'BulkChangeAccepted',
  {
    readonly customerKey: Uuid;
    readonly subscriptionIds: readonly Uuid[];
    /** Plan that the subscriptions were selected by; absent if by none, and in changes that earlier releases accepted. */
    readonly planId?: Uuid;
    readonly change: StoredBulkChange;
  }
>;

/** Accepts a bulk change whose dry run succeeded for every subscription named in it. */
export interface AcceptBulkChange {
  readonly type: 'AcceptBulkChange';
  readonly customer: Customer | undefined;
  readonly subscriptionIds: readonly Uuid[];
  readonly planId?: Uuid | undefined;
  readonly change: BulkChange;
}

/**
 * Stream `bulkchange-{org}.{customerKey}`: the bulk changes of one customer, in order. Every decision stands alone, so the
 * stream has no state. Earlier releases appended the same events to the customer's stream.
 */
export const bulkChangeDecider = {
  category: 'bulkchange',
  initial: () => null,
  decide: acceptBulkChange,
  evolve: (state) => state,
} as const satisfies Decider<null, AcceptBulkChange, BulkChangeEvent> & { readonly category: 'bulkchange' };

/** @throws DomainError `not_found` when the customer does not exist or is deleted */
function acceptBulkChange({
  customer,
  subscriptionIds,
  planId,
  change,
}: IssuedCommand<AcceptBulkChange>): BulkChangeEvent[] {
  const { customerKey } = requirePresent(customer);
  const matches = { subscriptionIds, ...(planId ? { planId } : {}) };
  return [{ type: 'BulkChangeAccepted', data: { customerKey, ...matches, change: toStoredChange(change) } }];
}

/** Sentences of the audit log, one per event type. */
export const BULK_CHANGE_EVENT_SENTENCES: EventSentences<BulkChangeEvent> = {
  BulkChangeAccepted: 'Subscriptions of the customer were changed or cancelled by filter.',
};
