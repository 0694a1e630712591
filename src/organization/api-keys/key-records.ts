import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { groupBy } from '../../kernel/iteration.js';
import { Database } from '../../platform/database/open-database.js';
import type { RecordedApiKey } from '../domain/events.js';
import { KeySeals } from './api-keys.js';

/** Key with the fields of its event. */
export interface KeyRecord extends RecordedApiKey {
  readonly isRevoked: boolean;
  /** True if the row has a seal that the service did not write. */
  readonly hasForeignSeal: boolean;
}

interface Row {
  readonly org: Uuid;
  readonly id: Uuid;
  readonly prefix: string;
  readonly hash: string;
  readonly name: string;
  readonly scope: RecordedApiKey['scope'];
  readonly expires_at: RecordedApiKey['expiresAt'];
  readonly is_revoked: boolean;
  readonly seal: string | null;
}

const COLUMNS = `org, id, prefix, encode(key_hash, 'hex') as hash, name, scope, expires_at,
  revoked_at is not null as is_revoked, encode(seal, 'hex') as seal`;

/** Reads API keys with the fields of their events. The hash is replaced by a keyed hash, which reveals nothing. */
@Injectable()
export class KeyRecords {
  constructor(
    private readonly database: Database,
    private readonly seals: KeySeals,
  ) {}

  /** Returns a key that is not accepted until its event is appended. */
  async pending(org: Uuid, id: Uuid): Promise<RecordedApiKey | undefined> {
    const { rows } = await this.database.pool.query<Row>(
      `select ${COLUMNS} from api_keys where org = $1 and id = $2 and recorded = false`,
      [org, id],
    );
    return rows[0] && this.describe(rows[0]);
  }

  /** Returns keys that are or were accepted, by organization. */
  async all(): Promise<ReadonlyMap<Uuid, readonly KeyRecord[]>> {
    return this.read('recorded is not false');
  }

  /** Returns accepted keys without an event, by organization. */
  async unrecorded(): Promise<ReadonlyMap<Uuid, readonly KeyRecord[]>> {
    return this.read('recorded is null and revoked_at is null');
  }

  private async read(condition: string): Promise<ReadonlyMap<Uuid, readonly KeyRecord[]>> {
    const { rows } = await this.database.pool.query<Row>(
      `select ${COLUMNS} from api_keys where ${condition} order by created_at, id`,
    );
    const byOrg = groupBy(rows, ({ org }) => org);
    return new Map([...byOrg].map(([org, ofOrg]) => [org, ofOrg.map((row) => this.recordOf(row))]));
  }

  private recordOf(row: Row): KeyRecord {
    return { ...this.describe(row), isRevoked: row.is_revoked, hasForeignSeal: this.hasForeignSeal(row) };
  }

  private describe({ org, id, prefix, hash, name, scope, expires_at: expiresAt }: Row): RecordedApiKey {
    return { keyId: id, prefix, name, scope, expiresAt, digest: this.seals.digestOf(org, hash) };
  }

  private hasForeignSeal({ org, id: keyId, hash, scope, expires_at: expiresAt, seal }: Row): boolean {
    return seal !== null && seal !== this.seals.sealOf({ keyId, org, hash, scope, expiresAt });
  }
}
