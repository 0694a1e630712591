import { Injectable } from '@nestjs/common';
import { DomainError } from '../kernel/errors.js';
import type { Position } from '../kernel/event.js';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database, inTransaction } from '../platform/database/open-database.js';
import { Vault } from '../platform/privacy/vault.js';
import type { Trigger } from './domain/triggers.js';

export interface Endpoint {
  readonly id: Uuid;
  readonly org: Uuid;
  readonly name: string;
  readonly triggers: readonly Trigger[];
  readonly createdAt: Instant;
  readonly url: string;
  /** `whsec_` and base64, the format of Standard Webhooks. */
  readonly secret: string;
}

/** Endpoint; URL and secret are undefined if the stored ones were not sealed for it. */
export type StoredEndpoint = Pick<Endpoint, 'id' | 'org' | 'name' | 'triggers'> &
  Partial<Pick<Endpoint, 'url' | 'secret'>>;

export type DueEndpoint = Pick<Endpoint, 'id' | 'org'>;

export interface LeasedEndpoint extends Endpoint {
  /** Id of the lease; the next holder has another one. */
  readonly leasedUntil: Instant;
}

interface EndpointRow {
  readonly id: Uuid;
  readonly org: Uuid;
  readonly name: string;
  readonly triggers: Trigger[];
  readonly sealed: string;
  readonly created_at: Instant;
}

type Sealed = Pick<Endpoint, 'url' | 'secret'>;

/** Limit of endpoints per organization; each is checked several times a second. */
const MAX_ENDPOINTS = 20;
const COLUMNS = 'id, org, name, triggers, sealed, created_at';

/** Table of the endpoints that events are sent to. Events say which there are; URL and secret are here only, sealed. */
@Injectable()
export class Endpoints {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /**
   * Adds an endpoint, which is sent nothing until `begin`; returns undefined when it exists.
   * @param after position behind which events are sent
   * @throws DomainError `invalid_operation` when the organization has the largest number of endpoints
   */
  async add(endpoint: Omit<Endpoint, 'createdAt'>, after: Position): Promise<Endpoint | undefined> {
    const { id, org, name, triggers, url, secret } = endpoint;
    const sealed = this.vault.sealRecord(org, recordOf(id), { url, secret });
    return inTransaction(this.database.pool, async (client) => {
      // Locks the organization, so that concurrent requests do not exceed the limit.
      await client.query(`select pg_advisory_xact_lock(hashtextextended('webhook_endpoints ' || $1, 0))`, [
        org,
      ]);
      // An endpoint without an event is that of a request which broke off.
      await client.query(
        `delete from webhook_endpoints where org = $1 and id <> $2 and recorded = false
          and created_at < now() - interval '1 hour'`,
        [org, id],
      );
      const { rows: others } = await client.query<{ id: Uuid }>(
        'select id from webhook_endpoints where org = $1',
        [org],
      );
      if (others.some((other) => other.id === id)) return undefined;
      if (others.length >= MAX_ENDPOINTS) throw tooMany();
      const { rows } = await client.query<EndpointRow>(
        `insert into webhook_endpoints (id, org, name, triggers, sealed, commit, prepare, recorded)
          values ($1, $2, $3, $4, $5, $6, $7, false) returning ${COLUMNS}`,
        [id, org, name, triggers, sealed, after.commit, after.prepare],
      );
      return this.open(rows[0]!);
    });
  }

  async list(org: Uuid): Promise<Endpoint[]> {
    const { rows } = await this.database.pool.query<EndpointRow>(
      `select ${COLUMNS} from webhook_endpoints where org = $1 and recorded is not false
        order by created_at, id`,
      [org],
    );
    return rows.map((row) => this.open(row));
  }

  async find(org: Uuid, id: Uuid): Promise<Endpoint | undefined> {
    const { rows } = await this.database.pool.query<EndpointRow>(
      `select ${COLUMNS} from webhook_endpoints where org = $1 and id = $2 and recorded is not false`,
      [org, id],
    );
    return rows[0] && this.open(rows[0]);
  }

  /** Returns an endpoint whose first event is not recorded yet. */
  async pending(org: Uuid, id: Uuid): Promise<Endpoint | undefined> {
    const { rows } = await this.database.pool.query<EndpointRow>(
      `select ${COLUMNS} from webhook_endpoints where org = $1 and id = $2 and recorded = false`,
      [org, id],
    );
    return rows[0] && this.open(rows[0]);
  }

  /**
   * Returns endpoints that are older than their events: made before the step of the schema that knows such events. A
   * later row without an event was not made by the service, nor was one that does not open.
   */
  async unrecorded(): Promise<Endpoint[]> {
    const { rows } = await this.database.pool.query<EndpointRow>(
      `select ${COLUMNS} from webhook_endpoints where recorded is null
        and created_at < (select applied_at from schema_migrations where name = 'webhooks-recorded')
        order by created_at, id`,
    );
    return rows.flatMap((row) => this.tryOpen(row) ?? []);
  }

  /** Returns the endpoints of all organizations that events are sent to; without URL and secret if they do not open. */
  async all(): Promise<StoredEndpoint[]> {
    const { rows } = await this.database.pool.query<EndpointRow>(
      `select ${COLUMNS} from webhook_endpoints where recorded is not false order by created_at, id`,
    );
    return rows.map((row) => this.tryOpen(row) ?? withoutSealed(row));
  }

  /** Has an endpoint sent to: its creation is recorded. */
  async begin(org: Uuid, id: Uuid): Promise<void> {
    await this.database.pool.query(
      'update webhook_endpoints set recorded = true where org = $1 and id = $2 and recorded is distinct from true',
      [org, id],
    );
  }

  /** Removes an endpoint with its deliveries. */
  async remove(org: Uuid, id: Uuid): Promise<void> {
    await this.database.pool.query('delete from webhook_endpoints where org = $1 and id = $2', [org, id]);
  }

  /** Returns endpoints with something to send now, organizations in turn, the longest waiting first. */
  async due(most: number): Promise<DueEndpoint[]> {
    const { rows } = await this.database.pool.query<DueEndpoint>({
      name: 'webhook-endpoints-due',
      text: `select id, org from (
          select e.id, e.org, e.served_at,
            row_number() over (partition by e.org order by e.served_at nulls first, e.id) as turn
          from webhook_endpoints e where (e.leased_until is null or e.leased_until < now())
            and (select d.next_attempt_at from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending'
              order by d.place limit 1) <= now()) due
        order by turn, served_at nulls first, id limit $1`,
      values: [most],
    });
    return rows;
  }

  /**
   * Leases endpoints to this process.
   * @returns those that no other process has leased; without those that do not open, whose lease ends by itself
   */
  async lease(ids: readonly Uuid[], seconds: number): Promise<LeasedEndpoint[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.database.pool.query<EndpointRow & { leased_until: Instant }>({
      name: 'webhook-endpoints-lease',
      text: `update webhook_endpoints set leased_until = now() + $2 * interval '1 second' where id in (
          select e.id from webhook_endpoints e
          where e.id = any($1) and (e.leased_until is null or e.leased_until < now()) for update skip locked)
        returning ${COLUMNS}, leased_until`,
      values: [ids, seconds],
    });
    return rows.flatMap((row) => {
      const endpoint = this.tryOpen(row);
      return endpoint ? [{ ...endpoint, leasedUntil: row.leased_until }] : [];
    });
  }

  /** Renews a lease; undefined when the endpoint was removed or another process has the lease. */
  async extendLease(
    { id, leasedUntil }: Pick<LeasedEndpoint, 'id' | 'leasedUntil'>,
    seconds: number,
  ): Promise<Instant | undefined> {
    const { rows } = await this.database.pool.query<{ leased_until: Instant }>({
      name: 'webhook-endpoints-extend',
      text: `update webhook_endpoints set leased_until = now() + $3 * interval '1 second'
        where id = $1 and leased_until = $2 returning leased_until`,
      values: [id, leasedUntil, seconds],
    });
    return rows[0]?.leased_until;
  }

  /** Releases a lease; the endpoint goes to the end of the queue. */
  async release({ id, leasedUntil }: Pick<LeasedEndpoint, 'id' | 'leasedUntil'>): Promise<void> {
    await this.database.pool.query({
      name: 'webhook-endpoints-release',
      text: `update webhook_endpoints set leased_until = null, served_at = now() where id = $1 and leased_until = $2`,
      values: [id, leasedUntil],
    });
  }

  /** Returns undefined for an endpoint whose URL and secret were not sealed for it. */
  private tryOpen(row: EndpointRow): Endpoint | undefined {
    try {
      return this.open(row);
    } catch {
      return undefined;
    }
  }

  private open({ id, org, name, triggers, sealed, created_at: createdAt }: EndpointRow): Endpoint {
    const { url, secret } = this.vault.openRecord<Sealed>(org, recordOf(id), sealed);
    return { id, org, name, triggers, createdAt, url, secret };
  }
}

const withoutSealed = ({ id, org, name, triggers }: EndpointRow): StoredEndpoint => ({
  id,
  org,
  name,
  triggers,
});

const tooMany = (): DomainError =>
  new DomainError(
    'invalid_operation',
    `An organization has at most ${MAX_ENDPOINTS} webhook endpoints. Delete one that is not needed any more.`,
  );

const recordOf = (id: Uuid): string => `webhook.${id}`;
