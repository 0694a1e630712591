import { escapeLiteral, type Pool } from 'pg';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { EventStore } from '../store/event-store.js';
import { type Claim, takingClaims } from './claim.js';
import type { CommandContext } from '../command-runner/command-context.js';
import { withLease } from '../command-runner/append-events.js';
import { Batcher } from '../../concurrency/shared-calls.js';

export const CLAIMS_MIGRATION = `
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

/** Age after which a claim that nothing holds may be taken over: its command has died. */
const ABANDONED_AFTER = '1 minute';

/** Rules of a module for its claims. */
export interface ClaimRules {
  /** Returns the refusal for a claim of another stream. */
  readonly refusal: (claim: Claim) => DomainError;
  /** Tells whether a stream that was written still has the claimed value. Default: a stream keeps its claims. */
  readonly isHeld?: (claim: Claim, stream: string) => Promise<boolean>;
}

/** Keeps values unique across streams. A claim is a row, taken in its own short transaction before the append. */
export class Claims {
  readonly #taking: ClaimTaking;

  /** @param goWithAppends whether the event store has its log in this database, so that an append can take claims */
  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    readonly goWithAppends = false,
  ) {
    this.#taking = new ClaimTaking(pool, goWithAppends);
  }

  /**
   * Takes all claims for a stream, or none. The name of the stream derives from the command id, so a repeated command finds
   * its own claims.
   * @returns the claims that the stream did not have before
   * @throws DomainError the refusal of the rules
   */
  async take(
    org: Uuid,
    claims: readonly Claim[],
    ownerStream: string,
    rules: ClaimRules,
  ): Promise<readonly TakenClaim[]> {
    if (claims.length === 0) return [];
    const rows = await this.#taking.take({ org, claims, ownerStream });
    const added = rows.filter(isAdded);
    const other = rows.find((row) => row.owner_stream !== ownerStream);
    if (!other) return added;
    if (!(await this.takeOver(org, other, ownerStream, rules))) {
      // Another stream has one of the claims, so the new ones are released; claims that this stream held before stay.
      await this.releaseAdded(org, added, ownerStream);
      throw rules.refusal(other);
    }
    return this.take(org, claims, ownerStream, rules);
  }

  /**
   * Takes claims, then runs the command that begins or changes their stream. If it is refused, its new claims are
   * released; if its outcome is unknown, they stay for the repeat.
   * @param command gets the context of its append, which is refused where others may have taken the claims over
   * @throws DomainError the refusal of the rules, and what the command throws
   */
  async holding<Result>(
    context: CommandContext,
    claims: readonly Claim[],
    ownerStream: string,
    rules: ClaimRules,
    command: (leased: CommandContext) => Promise<Result>,
  ): Promise<Result> {
    const { org } = context;
    const leased = claims.length === 0 ? context : withLease(context);
    const added = await this.take(org, claims, ownerStream, rules);
    try {
      return await command(leased);
    } catch (error) {
      const refused = error instanceof DomainError && error.code !== 'conflict';
      if (refused) await this.releaseAdded(org, added, ownerStream);
      throw error;
    }
  }

  /** Releases claims that a command has added, except those that another command of the stream has taken since. */
  private async releaseAdded(org: Uuid, added: readonly TakenClaim[], ownerStream: string): Promise<void> {
    if (added.length === 0) return;
    await this.pool.query({
      name: 'claims-release-added',
      text: `delete from claims c using unnest($2::text[], $3::text[], $4::timestamptz[]) as w(kind, key, taken_at)
        where c.org = $1 and c.kind = w.kind and c.key = w.key and c.taken_at = w.taken_at and c.owner_stream = $5`,
      values: [
        org,
        added.map((c) => c.kind),
        added.map((c) => c.key),
        added.map((c) => c.taken_at),
        ownerStream,
      ],
    });
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

  /**
   * Takes a claim again that a stream has lost, if it is free: a release may have come between the claim and its append.
   * Gives it up where the stream no longer has the value, as another change may have released it since it was read.
   */
  async restore(org: Uuid, { kind, key }: Claim, ownerStream: string, { isHeld }: ClaimRules): Promise<void> {
    const { rows } = await this.pool.query<TakenClaim>({
      name: 'claims-restore',
      text: `insert into claims (org, kind, key, owner_stream) values ($1, $2, $3, $4)
        on conflict (org, kind, key) do nothing returning kind, key, owner_stream, taken_at, true as is_new`,
      values: [org, kind, key, ownerStream],
    });
    if (rows[0] && isHeld && !(await isHeld({ kind, key }, ownerStream)))
      await this.releaseAdded(org, rows, ownerStream);
  }

  /** Returns the stream that owns a claim; undefined for a free claim. */
  async ownerOf(org: Uuid, { kind, key }: Claim): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ owner_stream: string }>({
      name: 'claims-owner',
      text: 'select owner_stream from claims where org = $1 and kind = $2 and key = $3',
      values: [org, kind, key],
    });
    return rows[0]?.owner_stream;
  }

  /** Releases every claim of one kind that a stream holds. The caller's module has an index for the kind. */
  async releaseKind(org: Uuid, kind: string, ownerStream: string): Promise<void> {
    await this.pool.query({
      name: `claims-release-${kind}`,
      // A literal kind lets PostgreSQL use a partial index.
      text: `delete from claims where org = $1 and kind = ${escapeLiteral(kind)} and owner_stream = $2`,
      values: [org, ownerStream],
    });
  }

  /** Takes over an abandoned claim: nothing holds it, and no command has taken it for a while. */
  private async takeOver(
    org: Uuid,
    held: ClaimOutcome,
    ownerStream: string,
    { isHeld = () => Promise.resolve(true) }: ClaimRules,
  ): Promise<boolean> {
    if ((await this.hasBegun(held.owner_stream)) && (await isHeld(held, held.owner_stream))) return false;
    const { rowCount } = await this.pool.query({
      name: 'claims-take-over',
      text: `update claims set owner_stream = $5, taken_at = now()
        where org = $1 and kind = $2 and key = $3 and owner_stream = $4
          and taken_at < now() - interval '${ABANDONED_AFTER}'`,
      values: [org, held.kind, held.key, held.owner_stream, ownerStream],
    });
    return rowCount === 1;
  }

  private async hasBegun(stream: string): Promise<boolean> {
    for await (const event of this.store.readStream(stream, { limit: 1 })) if (event) return true;
    return false;
  }
}

/** Claims that one stream requests, all or none. */
export interface ClaimRequest {
  readonly org: Uuid;
  readonly claims: readonly Claim[];
  readonly ownerStream: string;
}

/** A requested claim with its owner, which may be another stream. */
export interface ClaimOutcome extends Claim {
  readonly owner_stream: string;
  /** True if this request took the claim. */
  readonly is_new: boolean;
  /** Instant of the request, by the clock of the database; null for a claim of another stream. */
  readonly taken_at: Instant | null;
}

/** A claim that a request took, with the time that tells it from a later one. */
interface TakenClaim extends ClaimOutcome {
  readonly taken_at: Instant;
}

const isAdded = (row: ClaimOutcome): row is TakenClaim => row.is_new;

interface Row extends ClaimOutcome {
  /** Index of the request in its group. */
  readonly member: number;
}

const MOST = 256;

/** Takes claims in batches of one statement and one commit. Each request still gets all of its claims or none. */
export class ClaimTaking {
  readonly #batches: Batcher<ClaimRequest, readonly ClaimOutcome[]>;
  readonly #statement: { readonly name: string; readonly text: string };

  constructor(
    private readonly pool: Pool,
    isLogBeside: boolean,
  ) {
    this.#statement = isLogBeside
      ? { name: 'claims-take-beside', text: `${TAKE}${BEFORE_THE_LOG} from answered` }
      : { name: 'claims-take', text: `${TAKE} from answered` };
    this.#batches = new Batcher((group) => this.#takeAll(group), { most: MOST });
  }

  /** Returns each requested claim with its owner. */
  take(request: ClaimRequest): Promise<readonly ClaimOutcome[]> {
    return this.#batches.add(request);
  }

  /** Takes claims in rounds without two requests for one claim. If a statement fails, each request runs alone. */
  async #takeAll(group: readonly ClaimRequest[]): Promise<(readonly ClaimOutcome[] | Error)[]> {
    const outcomes = new Map<ClaimRequest, readonly ClaimOutcome[] | Error>();
    for (let left = group; left.length > 0; left = left.filter((wanted) => !outcomes.has(wanted))) {
      const round = withoutClashes(left);
      const taken = await this.#takeTogether(round).catch((error: Error) => error);
      if (taken instanceof Error && round.length > 1) {
        for (const wanted of round) {
          const alone = await this.#takeTogether([wanted]).catch((error: Error) => error);
          outcomes.set(wanted, alone instanceof Error ? alone : alone[0]!);
        }
      } else {
        round.forEach((wanted, index) =>
          outcomes.set(wanted, taken instanceof Error ? taken : taken[index]!),
        );
      }
    }
    return group.map((wanted) => outcomes.get(wanted)!);
  }

  async #takeTogether(group: readonly ClaimRequest[]): Promise<ClaimOutcome[][]> {
    const claims = group.flatMap(({ org, claims, ownerStream: owner }, member) =>
      claims.map(({ kind, key }) => ({ member, org, kind, key, owner })),
    );
    const { rows } = await this.pool.query<Row>({ values: [JSON.stringify(claims)], ...this.#statement });
    const held = group.map((): Row[] => []);
    for (const row of rows) held[row.member]!.push(row);
    return held;
  }
}

/** Returns the requests, in order of arrival, without those for a claim that an earlier one requests. */
function withoutClashes(group: readonly ClaimRequest[]): ClaimRequest[] {
  const names = new Set<string>();
  return group.filter(({ org, claims }) => {
    const own = claims.map(({ kind, key }) => `${org}/${kind}/${key}`);
    const isFree = own.every((name) => !names.has(name));
    if (isFree) for (const name of own) names.add(name);
    return isFree;
  });
}

const TAKE = `
with ${takingClaims('$1')}, answered as (
  select member, kind, key, holder as owner_stream, false as is_new, null::timestamptz as taken_at from held
  union all
  select w.member, i.kind, i.key, i.owner_stream, i.is_new, i.taken_at from inserted i join wanted w using (org, kind, key)
)
select answered.*`;

/**
 * Skips the disk flush of the commit if the log is in this database: the append commits later to the same write-ahead log
 * and flushes all of it. A crash that loses a claim also loses the stream that was to own it.
 */
const BEFORE_THE_LOG = `, set_config('synchronous_commit', 'off', true)`;
