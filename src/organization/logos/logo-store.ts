import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { Logo } from '../domain/events.js';

/** A row of the table, without its bytes. */
interface StoredLogo extends Pick<Logo, 'digest'> {
  readonly org: Uuid;
  /** Tells whether the bytes have the digest. */
  readonly isOwn: boolean;
}

/** Stores bytes of logos by organization and digest; events have the digest only, so settings load fast. */
@Injectable()
export class LogoStore {
  constructor(private readonly database: Database) {}

  /** Stores a logo. One that was altered in the table is mended. */
  async keep(org: Uuid, { digest }: Logo, bytes: Buffer): Promise<void> {
    await this.database.pool.query({
      name: 'organization-logos-keep',
      text: `insert into organization_logos (org, digest, bytes) values ($1, $2, $3)
        on conflict (org, digest) do update set bytes = excluded.bytes
        where organization_logos.bytes <> excluded.bytes`,
      values: [org, digest, bytes],
    });
  }

  /** @throws DomainError `unavailable` where the table lacks the logo, or has other bytes than its digest says */
  async find(org: Uuid, { digest }: Logo): Promise<Buffer> {
    const { rows } = await this.database.pool.query<{ bytes: Buffer }>({
      name: 'organization-logos-find',
      text: 'select bytes from organization_logos where org = $1 and digest = $2',
      values: [org, digest],
    });
    const bytes = rows[0]?.bytes;
    if (bytes && createHash('sha256').update(bytes).digest('hex') === digest) return bytes;
    throw new DomainError(
      'unavailable',
      `The invoice shows the logo with the SHA-256 ${digest}, which the database ${bytes ? 'has with other bytes' : 'does not have'}. Restore it: send it again as the logo of the organization.`,
    );
  }

  async all(): Promise<StoredLogo[]> {
    const { rows } = await this.database.pool.query<StoredLogo>(
      `select org, digest, encode(sha256(bytes), 'hex') = digest as "isOwn" from organization_logos
       order by org, digest`,
    );
    return rows;
  }
}
