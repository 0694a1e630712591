import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { readCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import type { NotedRow } from '../../platform/database/noted-rows.js';
import { Database, isStatementError } from '../../platform/database/open-database.js';
import { Batcher } from '../../platform/concurrency/shared-calls.js';
import { isStoreDown } from '../../platform/eventsourcing/store/store-down.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { InvoiceTooLarge } from './invoice-too-large.js';
import { UsageCountTooSlow } from './usage-count-too-slow.js';

export const PARKED_KINDS = ['run', 'boundary', 'past_due'] as const;

/** A piece of due work, by what it is about. */
export interface ParkableWork {
  readonly org: Uuid;
  /** A run of an account, a term at its boundary, an invoice whose due date has passed. */
  readonly kind: (typeof PARKED_KINDS)[number];
  /** The customer's key, the term or the invoice. */
  readonly subjectId: Uuid;
  /** Null if the account is unknown. */
  readonly customerKey: Uuid | null;
  /** Empty where it is not known. */
  readonly currency: string;
  /** Time of the command that does it; left out: the clock's. */
  readonly doneAt?: Instant;
}

export interface ParkedWork extends ParkableWork {
  readonly parkId: Uuid;
  readonly cause: string;
  readonly detail: string;
  readonly tries: number;
  readonly parkedAt: Instant;
  readonly nextTryAt: Instant;
  readonly resolvedAt: Instant | null;
}

const COLUMNS = `park_id as "parkId", org, kind, subject_id as "subjectId", customer_key as "customerKey", currency,
  cause, detail, tries, parked_at as "parkedAt", next_try_at as "nextTryAt", resolved_at as "resolvedAt"`;

const LISTED = 1_000;
const LONGEST_DETAIL = 500;

/**
 * Parks due work that cannot be done, with its cause, so that other work continues, and retries it with
 * growing pauses (docs/architecture.md#parked-runs). Nothing is lost by it: what is due stays due until it is done.
 */
@Injectable()
export class Parking {
  /** Resolves work that succeeded, in batches. A sweep does much work at once, and most of it was never parked. */
  readonly #resolving = new Batcher<ParkableWork, true>((done) => this.resolve(done), {
    most: 500,
    isFaultOfItem: isStatementError,
  });

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Does the work. Work that fails is parked, and the result is undefined. An error that all work meets (a store is
   * down), or that another try can avoid (a conflict), is thrown instead.
   */
  async attempt<Result>(work: ParkableWork, act: () => Promise<Result>): Promise<Result | undefined> {
    let result: Result;
    try {
      result = await act();
    } catch (error) {
      if (isPassing(error)) throw error;
      await this.park(work, error);
      return undefined;
    }
    await this.#resolving.add(work);
    return result;
  }

  /** Lists the parked work of all organizations, the oldest first. */
  async *all(): AsyncGenerator<ParkedWork> {
    for (let last: ParkedWork | undefined; ;) {
      const { rows }: { rows: ParkedWork[] } = await this.database.pool.query<ParkedWork>(
        `select ${COLUMNS} from parked_work where resolved_at is null
          and ($1::timestamptz is null or (parked_at, park_id) > ($1, $2)) order by parked_at, park_id limit ${LISTED}`,
        [last?.parkedAt, last?.parkId],
      );
      yield* rows;
      if (rows.length < LISTED) return;
      last = rows.at(-1);
    }
  }

  /** Lists parked work of an organization page by page, the oldest first. */
  async page(
    org: Uuid,
    { limit, cursor }: { limit: number; cursor: string | undefined },
  ): Promise<Slice<ParkedWork>> {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const { rows } = await this.database.pool.query<ParkedWork>({
      name: 'parked-work-page',
      text: `select ${COLUMNS} from parked_work where org = $1 and resolved_at is null
        and ($2::timestamptz is null or (parked_at, park_id) > ($2, $3)) order by parked_at, park_id limit $4`,
      values: [org, after?.at, after?.id, limit + 1],
    });
    return sliceOf(rows, limit, ({ parkedAt: at, parkId: id }) => ({ at, id }));
  }

  /** Lists the next work that was parked after a row, resolved work too, in the order of parking. */
  async parkedAfter(org: Uuid, { id, notedAt }: NotedRow): Promise<NotedRow[]> {
    const { rows } = await this.database.pool.query<NotedRow>({
      name: 'parked-work-after',
      text: `select park_id as id, noted_at as "notedAt" from parked_work
        where org = $1 and noted_at >= $2 and (noted_at, park_id) > ($2, $3)
        order by noted_at, park_id limit ${LISTED}`,
      values: [org, notedAt, id],
    });
    return rows;
  }

  /** Makes parked work due with the next sweep. @returns how much there is @param parkId only this one */
  async retry(parkId?: Uuid): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `update parked_work set next_try_at = tried_at
        where resolved_at is null and ($1::uuid is null or park_id = $1)`,
      [parkId],
    );
    return rowCount ?? 0;
  }

  /** Makes parked work of an organization due with the next sweep; undefined: none is parked under the id. */
  async retryOne(org: Uuid, parkId: Uuid): Promise<ParkedWork | undefined> {
    const { rows } = await this.database.pool.query<ParkedWork>(
      `update parked_work set next_try_at = tried_at
        where org = $1 and park_id = $2 and resolved_at is null returning ${COLUMNS}`,
      [org, parkId],
    );
    return rows[0];
  }

  async find(org: Uuid, parkId: Uuid): Promise<ParkedWork | undefined> {
    const { rows } = await this.database.pool.query<ParkedWork>(
      `select ${COLUMNS} from parked_work where org = $1 and park_id = $2`,
      [org, parkId],
    );
    return rows[0];
  }

  private async park(
    { org, kind, subjectId, customerKey, currency }: ParkableWork,
    error: unknown,
  ): Promise<void> {
    const { cause, detail } = causeOf(error);
    await this.database.pool.query(PARK, [
      ...[org, kind, subjectId, customerKey, currency],
      ...[cause, detail.slice(0, LONGEST_DETAIL), await this.clock.now(org)],
    ]);
    this.log.error({ err: error, org, kind, subject: subjectId, cause }, 'Due work is parked.');
  }

  private async resolve(done: readonly ParkableWork[]): Promise<true[]> {
    await this.database.pool.query({
      name: 'parked-work-resolve',
      text: `update parked_work p set resolved_at = d.done_at
        from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::timestamptz[])
          as d (org, kind, subject_id, currency, done_at)
        where p.org = d.org and p.kind = d.kind and p.subject_id = d.subject_id and p.currency = d.currency
          and p.resolved_at is null`,
      values: [
        done.map(({ org }) => org),
        done.map(({ kind }) => kind),
        done.map(({ subjectId }) => subjectId),
        done.map(({ currency }) => currency),
        await Promise.all(done.map(async ({ org, doneAt }) => doneAt ?? (await this.clock.now(org)))),
      ],
    });
    return done.map(() => true);
  }
}

/** Inserts or updates parked work. The next try is after 1, 2, 4 … minutes, at most 6 hours. */
const PARK = `
insert into parked_work as p (org, kind, subject_id, customer_key, currency, cause, detail, parked_at, tried_at, next_try_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8::timestamptz + interval '1 minute')
on conflict (org, kind, subject_id, currency) where resolved_at is null do update
set cause = excluded.cause, detail = excluded.detail, tries = p.tries + 1, tried_at = excluded.tried_at,
  next_try_at = excluded.tried_at + least(interval '1 minute' * 2 ^ least(p.tries, 20), interval '6 hours')`;

const isPassing = (error: unknown): boolean =>
  isStoreDown(error) ||
  (error instanceof DomainError && (error.code === 'conflict' || error.code === 'unavailable')) ||
  isRolledBack(error);

/** SQLSTATE class 40: a deadlock or a serialization failure, which PostgreSQL asks to repeat. */
const isRolledBack = (error: unknown): boolean =>
  /^40...$/.test((error as { code?: string } | null)?.code ?? '');

function causeOf(error: unknown): { cause: string; detail: string } {
  if (error instanceof DomainError) return { cause: error.code, detail: error.detail };
  if (error instanceof InvoiceTooLarge) return { cause: 'invoice_too_large', detail: error.message };
  if (error instanceof UsageCountTooSlow) return { cause: 'usage_count_too_slow', detail: error.message };
  return { cause: 'internal', detail: error instanceof Error ? error.message : String(error) };
}
