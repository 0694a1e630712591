import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { CustomerProfile } from './events.js';

export interface Customer extends CustomerProfile {
  readonly customerKey: Uuid;
  readonly deletedAt: Instant | null;
  readonly erasedAt: Instant | null;
}

/** Undefined until the customer is registered. */
export type CustomerState = Customer | undefined;
