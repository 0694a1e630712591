import type { Instant } from '../kernel/instant.js';

export interface CustomerRow {
  org: string;
  customer_key: string;
  sealed: string;
  currency: string | null;
  tax_rate: string | null;
  timezone: string | null;
  country: string | null;
  payment_provider: string | null;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
  erased_at: Instant | null;
  stream_revision: string;
}
