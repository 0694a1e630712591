import { Injectable } from '@nestjs/common';
import type { Position } from '../kernel/event.js';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import { Vault } from '../platform/privacy/vault.js';
import type { Trigger } from './domain/triggers.js';

export interface Endpoint {
  readonly id: Uuid;
  readonly org: Uuid;
  readonly name: string;
  readonly triggers: readonly Trigger[];
  readonly createdAt: Instant;
  readonly url: string;
  /** `whsec_` and base64, as Standard Webhooks has it. */
  readonly secret: string;
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

const COLUMNS = 'id, org, name, triggers, sealed, created_at';

/** Where events are sent to: a plain table, as keys are. */
@Injectable()
export class Endpoints {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** Undefined, and nothing done, when it is there already. @param after told of what comes after this position */
  async add(endpoint: Omit<Endpoint, 'createdAt'>, after: Position): Promise<Endpoint | undefined> {
    const { id, org, name, triggers, url, secret } = endpoint;
    const { rows } = await this.database.pool.query<EndpointRow>(
      `insert into webhook_endpoints (id, org, name, triggers, sealed, commit, prepare)
        values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning ${COLUMNS}`,
      [
        id,
        org,
        name,
        triggers,
        this.vault.sealRecord(org, recordOf(id), { url, secret }),
        after.commit,
        after.prepare,
      ],
    );
    return rows[0] && this.open(rows[0]);
  }

  async list(org: Uuid): Promise<Endpoint[]> {
    const { rows } = await this.database.pool.query<EndpointRow>(
      `select ${COLUMNS} from webhook_endpoints where org = $1 order by created_at, id`,
      [org],
    );
    return rows.map((row) => this.open(row));
  }

  async find(org: Uuid, id: Uuid): Promise<Endpoint | undefined> {
    const { rows } = await this.database.pool.query<EndpointRow>(
      `select ${COLUMNS} from webhook_endpoints where org = $1 and id = $2`,
      [org, id],
    );
    return rows[0] && this.open(rows[0]);
  }

  /** With everything that is still to be sent to it. False when there is none. */
  async remove(org: Uuid, id: Uuid): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      'delete from webhook_endpoints where org = $1 and id = $2',
      [org, id],
    );
    return rowCount === 1;
  }

  /** Of those that have something to send now, up to so many that nobody else sends to meanwhile. */
  async lease(most: number, seconds: number): Promise<Endpoint[]> {
    const { rows } = await this.database.pool.query<EndpointRow>({
      name: 'webhook-endpoints-lease',
      text: `update webhook_endpoints set leased_until = now() + $2 * interval '1 second' where id in (
          select e.id from webhook_endpoints e where (e.leased_until is null or e.leased_until < now())
            and (select d.next_attempt_at from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending'
              order by d.place limit 1) <= now()
          order by e.leased_until nulls first limit $1 for update skip locked)
        returning ${COLUMNS}`,
      values: [most, seconds],
    });
    return rows.map((row) => this.open(row));
  }

  /** False when the endpoint was removed. */
  async extendLease(id: Uuid, seconds: number): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'webhook-endpoints-extend',
      text: `update webhook_endpoints set leased_until = now() + $2 * interval '1 second' where id = $1`,
      values: [id, seconds],
    });
    return rowCount === 1;
  }

  async release(id: Uuid): Promise<void> {
    await this.database.pool.query({
      name: 'webhook-endpoints-release',
      text: 'update webhook_endpoints set leased_until = null where id = $1',
      values: [id],
    });
  }

  private open({ id, org, name, triggers, sealed, created_at: createdAt }: EndpointRow): Endpoint {
    const { url, secret } = this.vault.openRecord<Sealed>(org, recordOf(id), sealed);
    return { id, org, name, triggers, createdAt, url, secret };
  }
}

const recordOf = (id: Uuid): string => `webhook.${id}`;
