import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DomainEvent, RecordedEvent } from '../kernel/event.js';
import type { Uuid } from '../kernel/ids.js';
import { Database } from '../platform/database/open-database.js';
import { Policies, type Policy } from '../platform/eventsourcing/policies/policies.js';

export const SENT_CUSTOMER_IDS_MIGRATION = `
create table sent_customer_ids (
  org uuid not null,
  customer_key uuid not null,
  customer_id text not null,
  primary key (org, customer_key)
);
comment on table sent_customer_ids is 'Ids of customers that usage was sent for and that do not exist, so that a misspelt id can be seen. A row is deleted when its customer is created or erased.';
comment on column sent_customer_ids.org is 'Tenant.';
comment on column sent_customer_ids.customer_key is 'The customer, as streams and rows name it.';
comment on column sent_customer_ids.customer_id is 'The customer''s id as it was sent.';`;

/** Keys that this process has stored or found to be known; beyond them it asks the database again. */
const MAX_SEEN = 100_000;

type Known = DomainEvent<'CustomerRegistered' | 'CustomerErased', { readonly customerKey: Uuid }>;

/** Keeps the ids that usage was sent for while no customer has them. */
@Injectable()
export class SentCustomerIds implements Policy, OnModuleInit {
  readonly name = 'forget-sent-customer-ids';
  readonly on = ['CustomerRegistered', 'CustomerErased'];
  readonly #seen = new Set<string>();

  constructor(
    private readonly policies: Policies,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  /** Stores the ids of customers that never existed. A customer that exists, or was erased, has a row in customer_keys. */
  async keep(org: Uuid, sent: ReadonlyMap<Uuid, string>): Promise<void> {
    const fresh = [...sent].filter(([key]) => !this.#seen.has(org + key));
    if (fresh.length === 0) return;
    await this.database.pool.query({
      name: 'sent-customer-ids-keep',
      text: `insert into sent_customer_ids (org, customer_key, customer_id)
        select $1, s.key, s.id from unnest($2::uuid[], $3::text[]) as s (key, id)
        where not exists (select from customer_keys k where k.org = $1 and k.customer_key = s.key)
        order by s.key on conflict do nothing`,
      values: [org, fresh.map(([key]) => key), fresh.map(([, id]) => id)],
    });
    if (this.#seen.size + fresh.length > MAX_SEEN) this.#seen.clear();
    for (const [key] of fresh) this.#seen.add(org + key);
  }

  /** Returns the ids that were sent, by customer key. */
  async find(org: Uuid, customerKeys: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
    if (customerKeys.length === 0) return new Map();
    const { rows } = await this.database.pool.query<{ key: Uuid; id: string }>({
      name: 'sent-customer-ids-find',
      text: `select customer_key as key, customer_id as id from sent_customer_ids
        where org = $1 and customer_key = any($2::uuid[])`,
      values: [org, customerKeys],
    });
    return new Map(rows.map(({ key, id }) => [key, id]));
  }

  async handle({ metadata: { org }, data: { customerKey } }: RecordedEvent<Known>): Promise<void> {
    await this.database.pool.query({
      name: 'sent-customer-ids-forget',
      text: `delete from sent_customer_ids where org = $1 and customer_key = $2`,
      values: [org, customerKey],
    });
  }
}
