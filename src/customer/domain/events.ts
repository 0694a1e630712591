import type { DomainEvent, EventSentences } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

/**
 * A customer's profile. Fields that amounts depend on are not sealed; everything personal (customer_id, name, e-mail, addresses, properties) is
 * `sealed` under a key of this customer alone, so that destroying the key erases the person and no invoice changes.
 */
export interface CustomerProfile {
  /** Opaque text of the vault (src/platform/privacy). */
  readonly sealed: string;
  readonly currency: string | null;
  /** Percent as decimal text; null: the organization's; "0": exempt. */
  readonly taxRate: string | null;
  /** IANA zone; null: the organization's. */
  readonly timezone: string | null;
  readonly country: string | null;
  readonly paymentProvider: string | null;
}

export type CustomerEvent =
  | DomainEvent<'CustomerRegistered', { readonly customerKey: Uuid } & CustomerProfile>
  | DomainEvent<'CustomerDetailsChanged', { readonly customerKey: Uuid } & CustomerProfile>
  /** Written by earlier releases: bulk changes now have a stream of their own, in subscription. Changes no state. */
  | DomainEvent<
      'BulkChangeAccepted',
      {
        readonly customerKey: Uuid;
        readonly subscriptionIds: readonly Uuid[];
        readonly change: object;
      }
    >
  /** Ends these subscriptions, as a dry run decided. The customer_id and the e-mail address stay reserved. */
  | DomainEvent<
      'CustomerDeleted',
      {
        readonly customerKey: Uuid;
        readonly subscriptionIds: readonly Uuid[];
        readonly deletedAt: Instant;
      }
    >
  /** The key that opens the sealed data is destroyed. */
  | DomainEvent<'CustomerErased', { readonly customerKey: Uuid; readonly erasedAt: Instant }>;

/** Sentences of the audit log, one per event type. */
export const CUSTOMER_EVENT_SENTENCES: EventSentences<CustomerEvent> = {
  BulkChangeAccepted: 'Subscriptions of the customer were changed or cancelled by filter.',
  CustomerDeleted: 'The customer was deleted.',
  CustomerDetailsChanged: 'Details of the customer were changed.',
  CustomerErased: 'The personal data of the customer was erased.',
  CustomerRegistered: 'The customer was created.',
};
