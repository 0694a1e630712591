import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { Vault } from '../../platform/privacy/vault.js';
import type { RecordedApiKey } from '../domain/events.js';

/** A row of the table as an event describes a key. */
export interface KeyRecord extends RecordedApiKey {
  readonly isRevoked: boolean;
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
}

const COLUMNS = `org, id, prefix, encode(key_hash, 'hex') as hash, name, scope, expires_at,
  revoked_at is not null as is_revoked`;

/** Reads rows of API keys as events describe them: with a keyed hash of the hash, which tells auditors nothing. */
@Injectable()
export class KeyRecords {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** A key that is refused until its event is appended. */
  async pending(org: Uuid, id: Uuid): Promise<RecordedApiKey | undefined> {
    const { rows } = await this.database.pool.query<Row>(
      `select ${COLUMNS} from api_keys where org = $1 and id = $2 and recorded = false`,
      [org, id],
    );
    return rows[0] && this.describe(rows[0]);
  }

  /** Keys that are or were in use, by organization. */
  async all(): Promise<ReadonlyMap<Uuid, readonly KeyRecord[]>> {
    return this.read('recorded is not false');
  }

  /** Keys in use that are older than their events, by organization. */
  async unrecorded(): Promise<ReadonlyMap<Uuid, readonly KeyRecord[]>> {
    return this.read('recorded is null and revoked_at is null');
  }

  private async read(condition: string): Promise<ReadonlyMap<Uuid, readonly KeyRecord[]>> {
    const { rows } = await this.database.pool.query<Row>(
      `select ${COLUMNS} from api_keys where ${condition} order by created_at, id`,
    );
    const byOrg = new Map<Uuid, KeyRecord[]>();
    for (const row of rows) {
      const records = byOrg.get(row.org) ?? [];
      byOrg.set(row.org, records);
      records.push({ ...this.describe(row), isRevoked: row.is_revoked });
    }
    return byOrg;
  }

  private describe({ org, id, prefix, hash, name, scope, expires_at: expiresAt }: Row): RecordedApiKey {
    return { keyId: id, prefix, name, scope, expiresAt, digest: this.vault.hmac(org, `api-key:${hash}`) };
  }
}
