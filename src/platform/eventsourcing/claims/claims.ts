import type { Pool } from 'pg';
import { type DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { EventStore } from '../store/event-store.js';
import type { Claim } from './claim.js';
import { ClaimTaking } from './take-claims.js';

export const CLAIMS_SCHEMA = `
create table claims (
  org uuid not null,
  kind text not null,
  key text not null,
  owner_stream text not null,
  taken_at timestamptz not null default now(),
  primary key (org, kind, key)
);
comment on table claims is 'Names and ids that are unique in a tenant, taken before the stream that owns them is written.';
create index claims_owner on claims (owner_stream);`;

/** Only e-mail addresses are released by their owner (`releaseEmails`); every other claim paid for an index it never used. */
export const CLAIMS_OWNER_SCHEMA = `
drop index claims_owner;
create index claims_owner on claims (owner_stream) where kind = 'email';`;

/** A claim this old whose stream was never written belongs to a command that died: it may be taken over. */
const ABANDONED_AFTER = '1 minute';

/** Uniqueness across streams: a row in its own short transaction, taken before the append. */
export class Claims {
  readonly #taking: ClaimTaking;

  /** @param goWithAppends the event store keeps its log in this very database */
  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    readonly goWithAppends = false,
  ) {
    this.#taking = new ClaimTaking(pool, goWithAppends);
  }

  /**
   * Takes all claims for the stream that will own them, or none. The stream's name derives from the command id, so a
   * repeat of the command meets its own claim.
   * @param taken the refusal when somebody else holds the claim
   */
  async take(
    org: Uuid,
    claims: readonly Claim[],
    ownerStream: string,
    taken: (claim: Claim) => DomainError,
  ): Promise<void> {
    if (claims.length === 0) return;
    const rows = await this.#taking.take({ org, claims, ownerStream });
    const other = rows.find((row) => row.owner_stream !== ownerStream);
    if (!other) return;
    if (!(await this.takeOver(org, other, ownerStream))) {
      // Somebody was faster with a part of them; what this owner held before stays its own.
      await this.release(
        org,
        rows.filter((row) => row.is_new),
        ownerStream,
      );
      throw taken(other);
    }
    await this.take(org, claims, ownerStream, taken);
  }

  async release(org: Uuid, claims: readonly Claim[], ownerStream: string): Promise<void> {
    if (claims.length === 0) return;
    await this.pool.query({
      name: 'claims-release',
      text: `delete from claims c using unnest($2::text[], $3::text[]) as w(kind, key)
        where c.org = $1 and c.kind = w.kind and c.key = w.key and c.owner_stream = $4`,
      values: [org, claims.map((c) => c.kind), claims.map((c) => c.key), ownerStream],
    });
  }

  /** Every e-mail address that the owner holds. */
  async releaseEmails(org: Uuid, ownerStream: string): Promise<void> {
    await this.pool.query({
      name: 'claims-release-emails',
      text: `delete from claims where org = $1 and kind = 'email' and owner_stream = $2`,
      values: [org, ownerStream],
    });
  }

  private async takeOver(
    org: Uuid,
    held: Claim & { owner_stream: string },
    ownerStream: string,
  ): Promise<boolean> {
    for await (const event of this.store.readStream(held.owner_stream, { limit: 1 })) if (event) return false;
    const { rowCount } = await this.pool.query({
      name: 'claims-take-over',
      text: `update claims set owner_stream = $5, taken_at = now()
        where org = $1 and kind = $2 and key = $3 and owner_stream = $4
          and taken_at < now() - interval '${ABANDONED_AFTER}'`,
      values: [org, held.kind, held.key, held.owner_stream, ownerStream],
    });
    return rowCount === 1;
  }
}
