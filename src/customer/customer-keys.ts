import type { Pool } from 'pg';
import type { Uuid } from '../kernel/ids.js';
import type { SubjectKeys } from '../platform/privacy/vault.js';

export const CUSTOMER_KEYS_SCHEMA = `
create table customer_keys (
  org uuid not null,
  customer_key uuid not null,
  wrapped_key bytea,
  created_at timestamptz not null default now(),
  primary key (org, customer_key)
);
comment on table customer_keys is 'The key each customer''s personal data is sealed with. Destroying it erases the person from events, read models and backups of them at once.';
comment on column customer_keys.org is 'Tenant.';
comment on column customer_keys.customer_key is 'The customer, as streams and rows name it.';
comment on column customer_keys.wrapped_key is 'The key, encrypted under MASTER_KEY; null once it was destroyed.';
comment on column customer_keys.created_at is 'When the key was made (wall time).';`;

/** Stores the wrapped key of each customer. The row of a destroyed key stays, so that an erased customer never gets a new key. */
export class CustomerKeys implements SubjectKeys {
  constructor(private readonly pool: Pool) {}

  async findOrAdd(org: Uuid, customerKey: Uuid, fresh: Buffer): Promise<Buffer | undefined> {
    const { rowCount } = await this.pool.query({
      name: 'customer-keys-add',
      text: `insert into customer_keys (org, customer_key, wrapped_key) values ($1, $2, $3)
        on conflict (org, customer_key) do nothing`,
      values: [org, customerKey, fresh],
    });
    return rowCount === 1 ? fresh : (await this.find(org, [customerKey])).get(customerKey);
  }

  async find(org: Uuid, customerKeys: readonly Uuid[]): Promise<Map<Uuid, Buffer>> {
    if (customerKeys.length === 0) return new Map();
    const { rows } = await this.pool.query<{ customer_key: Uuid; wrapped_key: Buffer }>({
      name: 'customer-keys-find',
      text: `select customer_key, wrapped_key from customer_keys
        where org = $1 and customer_key = any($2::uuid[]) and wrapped_key is not null`,
      values: [org, customerKeys],
    });
    return new Map(rows.map((row) => [row.customer_key, row.wrapped_key]));
  }

  async destroy(org: Uuid, customerKey: Uuid): Promise<void> {
    await this.pool.query({
      name: 'customer-keys-destroy',
      text: `insert into customer_keys (org, customer_key) values ($1, $2)
        on conflict (org, customer_key) do update set wrapped_key = null`,
      values: [org, customerKey],
    });
  }
}

export const customerKeys = (pool: Pool): SubjectKeys => new CustomerKeys(pool);
