import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { Logo } from '../domain/events.js';

/** Stores bytes of logos by organization and digest; events have the digest only, so settings load fast. */
@Injectable()
export class LogoStore {
  constructor(private readonly database: Database) {}

  async keep(org: Uuid, { digest }: Logo, bytes: Buffer): Promise<void> {
    await this.database.pool.query({
      name: 'organization-logos-keep',
      text: 'insert into organization_logos (org, digest, bytes) values ($1, $2, $3) on conflict do nothing',
      values: [org, digest, bytes],
    });
  }

  /** Returns undefined if a restored table lacks the logo; the document then has none. */
  async find(org: Uuid, { digest }: Logo): Promise<Buffer | undefined> {
    const { rows } = await this.database.pool.query<{ bytes: Buffer }>({
      name: 'organization-logos-find',
      text: 'select bytes from organization_logos where org = $1 and digest = $2',
      values: [org, digest],
    });
    return rows[0]?.bytes;
  }
}
