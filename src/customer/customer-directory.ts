import type { Pool } from 'pg';
import { customerKeyOf, type Uuid } from '../kernel/ids.js';
import { invalidFields, unknownId } from '../kernel/errors.js';
import { type SubjectKeys, type KeyedItem, Vault } from '../platform/privacy/vault.js';
import { Injectable, Inject } from '@nestjs/common';
import { Database } from '../platform/database/open-database.js';
import type { WireOf } from '../platform/http/openapi/schema.js';
import type { ADDRESS, ADDRESSED_CUSTOMER, CUSTOMER_SUMMARY } from './customer-schema.js';
import type { PersonalData, PostalAddress } from './domain/personal-data.js';
import { streamName } from '../kernel/event.js';
import {
  orgOfScope,
  sessionOf,
  type CommandSession,
  type FoldedStream,
  type ReadScope,
} from '../platform/eventsourcing/command-runner/command-context.js';
import { readState, StreamStateCache } from '../platform/eventsourcing/command-runner/stream-state-cache.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { customerDecider } from './domain/customer.js';
import type { Customer } from './domain/customer-state.js';
import type { CustomerEvent } from './domain/events.js';

export const CUSTOMER_KEYS_MIGRATION = `
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

  async destroyedAmong(org: Uuid, customerKeys: readonly Uuid[]): Promise<Uuid[]> {
    const { rows } = await this.pool.query<{ customer_key: Uuid }>({
      name: 'customer-keys-destroyed',
      text: `select customer_key from customer_keys
        where org = $1 and customer_key = any($2::uuid[]) and wrapped_key is null`,
      values: [org, customerKeys],
    });
    return rows.map((row) => row.customer_key);
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

export interface ReadCustomer {
  readonly state: Customer;
  readonly revision: bigint;
}

/** Loads a customer from the log, now or at a revision, for decisions and computations. */
@Injectable()
export class CustomerReader {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @throws StoreUnavailable */
  async load(scope: ReadScope, customerKey: Uuid, upTo?: bigint): Promise<ReadCustomer | undefined> {
    const stream = streamName('customer', orgOfScope(scope), customerKey);
    const { state, revision } = await readState(this.store, stream, customerDecider, upTo, sessionOf(scope));
    return state && revision !== undefined ? { state, revision } : undefined;
  }

  /** Returns the key of a customer that a request names, deleted or not. @throws DomainError `does_not_exist` */
  async keyOf(org: Uuid, customerId: string): Promise<Uuid> {
    const customerKey = customerKeyOf(org, customerId);
    if (await this.load(org, customerKey)) return customerKey;
    throw invalidFields({ code: 'does_not_exist', detail: unknownId('customer'), attr: 'customer_id' });
  }

  /** Loads a customer that is not deleted. @throws StoreUnavailable */
  async loadPresent(scope: ReadScope, customerKey: Uuid): Promise<ReadCustomer | undefined> {
    const read = await this.load(scope, customerKey);
    return read?.state.deletedAt === null ? read : undefined;
  }

  /** Returns the newest state that this process knows, without a read; undefined where the command has not loaded it. */
  latestKnown(org: Uuid, customerKey: Uuid, session: CommandSession): Customer | undefined {
    const stream = streamName('customer', org, customerKey);
    const loaded = session.loaded(stream) as FoldedStream<Customer | undefined> | undefined;
    if (!loaded?.last) return undefined;
    const known = StreamStateCache.of(this.store).remembered<Customer | undefined, CustomerEvent>(
      stream,
      customerDecider,
    );
    return known.last && known.last.revision > loaded.last.revision ? known.state : loaded.state;
  }
}

export type CustomerSummary = WireOf<typeof CUSTOMER_SUMMARY>;
export type AddressResource = WireOf<typeof ADDRESS>;
export type AddressedCustomer = WireOf<typeof ADDRESSED_CUSTOMER>;

interface FoundItem extends KeyedItem {
  readonly isDeleted: boolean;
}

/** Opens the personal data of the customers in an answer, with a fixed number of statements. */
@Injectable()
export class CustomerDirectory {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly customers: CustomerReader,
  ) {}

  /** Returns undefined for a customer that does not exist or was deleted. */
  async find(org: Uuid, customerKey: Uuid): Promise<CustomerSummary | undefined> {
    return (await this.present(org, [customerKey])).get(customerKey);
  }

  /** Returns a summary for every key. */
  async summaries(org: Uuid, customerKeys: readonly Uuid[]): Promise<ReadonlyMap<Uuid, CustomerSummary>> {
    return mapValues(await this.open(org, customerKeys), customerSummaryOf);
  }

  /** Presents customers; deleted ones have no entry. */
  async present(org: Uuid, customerKeys: readonly Uuid[]): Promise<ReadonlyMap<Uuid, CustomerSummary>> {
    const found = (await this.sealedOf(org, [...new Set(customerKeys)])).filter((item) => !item.isDeleted);
    return new Map(found.map((item) => [item.subject, customerSummaryOf(this.unseal(org, item))]));
  }

  /** Returns summaries with the billing address, for invoices. */
  async withAddress(org: Uuid, customerKeys: readonly Uuid[]): Promise<ReadonlyMap<Uuid, AddressedCustomer>> {
    return mapValues(await this.open(org, customerKeys), (personal) => ({
      ...customerSummaryOf(personal),
      address: presentAddress(personal?.billingAddress),
    }));
  }

  /** Returns the keys of customers that exist in the log and are not deleted. */
  async exist(org: Uuid, customerKeys: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
    const found = await Promise.all(customerKeys.map((key) => this.customers.loadPresent(org, key)));
    return new Set(customerKeys.filter((_, index) => found[index] !== undefined));
  }

  private async open(org: Uuid, customerKeys: readonly Uuid[]): Promise<Map<Uuid, PersonalData | undefined>> {
    const unique = [...new Set(customerKeys)];
    const items = await this.sealedOf(org, unique);
    const byKey = new Map(items.map((item) => [item.subject, this.unseal(org, item)]));
    return new Map(unique.map((key) => [key, byKey.get(key)]));
  }

  private unseal(org: Uuid, item: FoundItem): PersonalData | undefined {
    return this.vault.unsealWith<PersonalData>(org, item);
  }

  /** Reads profiles with their keys from the read model, and missing ones from the log. */
  private async sealedOf(org: Uuid, customerKeys: readonly Uuid[]): Promise<FoundItem[]> {
    if (customerKeys.length === 0) return [];
    const { rows } = await this.database.pool.query<FoundItem>({
      name: 'customers-sealed',
      text: SEALED,
      values: [org, customerKeys],
    });
    const known = new Set(rows.map((row) => row.subject));
    const missing = customerKeys.filter((key) => !known.has(key));
    return missing.length === 0 ? rows : [...rows, ...(await this.fromLog(org, missing))];
  }

  /** Reads the customers that have a key: one that never existed has none, and costs no read of the log. */
  private async fromLog(org: Uuid, customerKeys: readonly Uuid[]): Promise<FoundItem[]> {
    const keys = await new CustomerKeys(this.database.pool).find(org, customerKeys);
    const items = [...keys].map(async ([subject, wrappedKey]): Promise<FoundItem[]> => {
      const state = (await this.customers.load(org, subject))?.state;
      return state
        ? [{ subject, sealed: state.sealed, wrappedKey, isDeleted: state.deletedAt !== null }]
        : [];
    });
    return (await Promise.all(items)).flat();
  }
}

const SEALED = `select c.customer_key as subject, c.sealed, c.deleted_at is not null as "isDeleted",
    k.wrapped_key as "wrappedKey"
  from "customers" c left join customer_keys k on k.org = c.org and k.customer_key = c.customer_key
  where c.org = $1 and c.customer_key = any($2::uuid[])`;

export function customerSummaryOf(personal: PersonalData | undefined): CustomerSummary {
  return {
    customer_id: personal?.customerId ?? null,
    customer_name: personal?.name ?? null,
    email: personal?.email ?? null,
  };
}

export function presentAddress(address: PostalAddress | null | undefined): AddressResource | null {
  if (!address) return null;
  const { city, country, line1, line2, postalCode, state } = address;
  return { city, country, line1, line2, postal_code: postalCode, state };
}

const mapValues = <Key, A, B>(map: ReadonlyMap<Key, A>, to: (value: A) => B): Map<Key, B> =>
  new Map([...map].map(([key, value]) => [key, to(value)]));
