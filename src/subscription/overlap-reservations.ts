import type { Pool, PoolClient, ClientBase } from 'pg';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../kernel/errors.js';
import type { Uuid } from '../kernel/ids.js';
import { type Instant, earliest } from '../kernel/instant.js';
import { streamName } from '../kernel/event.js';
import type { PlanOnSale } from '../catalog/plan-catalog.js';
import { Database, isStatementError, inTransaction } from '../platform/database/open-database.js';
import {
  isRestrictedSince,
  pauseWhileRestricted,
  tryUse,
  type UsedStream,
} from '../platform/eventsourcing/stream-restrictions.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { Batcher } from '../platform/concurrency/shared-calls.js';
import type { Term, SubscriptionFilter } from './domain/events.js';
import { firstCollision, type OverlapReservation, reservationOf } from './domain/overlap-reservation.js';
import { ABANDONED_SQL, AbandonedReservations, type HeldReservation } from './abandoned-reservations.js';
import { type ReservedTerm, timeSpanOf } from './domain/term-state.js';
import { TermReader } from './term-reader.js';

/**
 * Keeps reservations, so that no two subscriptions of a customer to one version overlap with comparable filters
 * (docs/architecture.md#claims).
 */
@Injectable()
export class OverlapReservations {
  readonly #pool: Pool;
  readonly #abandoned: AbandonedReservations;
  /** Batches transfers, as a sweep renews many terms at once. */
  readonly #transfers = new Batcher<TransferredReservation, boolean>(
    (reservations) => transferReservations(this.#pool, reservations),
    { most: 500, isFaultOfItem: isStatementError },
  );

  constructor(
    database: Database,
    private readonly subscriptions: TermReader,
    @Inject(EVENT_STORE) store: EventStore,
  ) {
    this.#pool = database.pool;
    this.#abandoned = new AbandonedReservations(this.#pool, subscriptions, store);
  }

  /**
   * Reserves all of the given terms of one customer, or none. A repeat finds its own reservations, and a term keeps a later
   * end that it has reserved.
   * @throws DomainError `overlapping_plans`; `ReservationUndecided` when the conflicting reservation may become free
   */
  async reserve(org: Uuid, ...terms: readonly Term[]): Promise<void> {
    await this.requireFree('reserve', org, terms);
  }

  /**
   * Reserves new terms on a plan, like `reserve`.
   * @returns false when the plan was restricted after it was read: then the terms must be decided again
   * @throws DomainError `conflict` while the plan is being restricted
   */
  async reserveNew(org: Uuid, plan: PlanRead, ...terms: readonly Term[]): Promise<boolean> {
    return this.requireFree('reserve', org, terms, { stream: streamName('plan', org, plan.planId), ...plan });
  }

  /** Checks the terms like `reserve`, without reserving them. @throws DomainError `overlapping_plans` */
  async requireNoOverlap(org: Uuid, ...terms: readonly Term[]): Promise<void> {
    await this.requireFree('check', org, terms);
  }

  /** @returns false when the used stream was restricted after it was read: then nothing is reserved */
  private async requireFree(
    mode: 'reserve' | 'check',
    org: Uuid,
    terms: readonly Term[],
    used?: UsedStream,
  ): Promise<boolean> {
    const [first] = terms;
    if (!first) return true;
    const { customerKey } = first;
    const requested = terms.map(reservationOf);
    for (let attempt = 0; ; attempt += 1) {
      const find = async (client: PoolClient): Promise<HeldReservation | OverlapReservation | boolean> => {
        const held = await heldReservations(client, org, customerKey, requested);
        const other = firstCollision(requested, held);
        return other ?? (mode === 'check' || saveReservations(client, org, customerKey, requested, used));
      };
      const found = await this.withCustomerLocked(org, customerKey, used, find);
      if (typeof found === 'boolean') return found;
      if (found === 'restricted') await pauseWhileRestricted(attempt);
      else if (!('abandonable' in found)) throw overlapping();
      else if (!(await this.#abandoned.release(org, customerKey, found)))
        throw await this.refusal(org, found);
    }
  }

  /**
   * Transfers a reservation to the successor of its term. A repeat has no effect.
   * @returns false when the successor has a reservation with another time span, which stays
   */
  async transfer(org: Uuid, predecessor: Uuid, successor: Term): Promise<boolean> {
    const { customerKey } = successor;
    return this.#transfers.add({ org, customerKey, predecessor, successor: reservationOf(successor) });
  }

  /** Sets a reservation to the time span of its term: open-ended with `auto_renew` until the term is closed. */
  async update(org: Uuid, state: ReservedTerm): Promise<void> {
    const { start, end } = timeSpanOf(state);
    await this.#pool.query({
      name: 'overlap-reservations-update',
      text: 'update placements set start_at = $3, end_at = $4 where org = $1 and subscription_id = $2',
      values: [org, state.term.subscriptionId, start, end],
    });
  }

  /** Releases a reservation whose subscription will not be written. */
  async release(org: Uuid, subscriptionId: Uuid): Promise<void> {
    await this.#pool.query({
      name: 'overlap-reservations-delete',
      text: 'delete from placements where org = $1 and subscription_id = $2',
      values: [org, subscriptionId],
    });
  }

  private async refusal(org: Uuid, { subscriptionId }: HeldReservation): Promise<DomainError> {
    return (await this.subscriptions.load(org, subscriptionId)) ? overlapping() : new ReservationUndecided();
  }

  /**
   * Runs work in a short transaction under a lock on the customer's reservations, and on the used stream if there is one.
   * @returns `restricted` while the used stream is being restricted
   */
  private withCustomerLocked<Result>(
    org: Uuid,
    customerKey: Uuid,
    used: UsedStream | undefined,
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result | 'restricted'> {
    return inTransaction(this.#pool, async (client) => {
      const { rows } = await client.query<{ is_usable: boolean | null }>({
        name: 'overlap-reservations-lock',
        text: LOCK,
        values: [`placements ${org}.${customerKey}`, used?.stream],
      });
      return rows[0]!.is_usable === false ? 'restricted' : work(client);
    });
  }
}

/** Plan, and the revision of its stream that a decision has read, and when. */
type PlanRead = Pick<PlanOnSale, 'planId' | 'revision' | 'readAt'>;

const OVERLAP =
  'The customer has a subscription to this plan version at overlapping times, with comparable filters.';
const overlapping = (): DomainError => new DomainError('overlapping_plans', OVERLAP);

/** The conflicting reservation belongs to a command that is not decided yet: it may still fail and release it. */
export class ReservationUndecided extends DomainError {
  constructor() {
    super('overlapping_plans', OVERLAP);
  }
}

/** Locks the reservations of a customer, and the stream that they use. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended($1, 0)), ${tryUse('$2')} as is_usable`;
const RESTRICTED = isRestrictedSince('$8', '$9', '$10::float8');

/** Lists the customer's reservations of these versions, except those that end before the first requested one starts. */
async function heldReservations(
  client: ClientBase,
  org: Uuid,
  customerKey: Uuid,
  requested: readonly OverlapReservation[],
): Promise<HeldReservation[]> {
  const { rows } = await client.query<{
    subscription_id: Uuid;
    version_id: Uuid;
    start_at: Instant;
    end_at: Instant | null;
    filters: SubscriptionFilter[];
    abandonable: boolean;
  }>({
    name: 'overlap-reservations-held',
    text: `select subscription_id, version_id, start_at, end_at, filters,
        ${ABANDONED_SQL} as abandonable
      from placements where org = $1 and customer_key = $2 and version_id = any ($3::uuid[])
        and (end_at is null or end_at > $4)`,
    values: [
      org,
      customerKey,
      [...new Set(requested.map(({ versionId }) => versionId))],
      requested.map(({ start }) => start).reduce(earliest),
    ],
  });
  return rows.map((row) => ({
    subscriptionId: row.subscription_id,
    versionId: row.version_id,
    start: row.start_at,
    end: row.end_at,
    filters: row.filters,
    abandonable: row.abandonable,
  }));
}

/**
 * Saves reservations. Terms that use no stream are running ones with a later end; another change, not recorded yet, may
 * have reserved an even later end, which stays.
 * @returns false, and saves nothing, if the used stream was restricted after the given revision
 */
async function saveReservations(
  client: ClientBase,
  org: Uuid,
  customerKey: Uuid,
  reservations: readonly OverlapReservation[],
  used?: UsedStream,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'overlap-reservations-save',
    text: `insert into placements as held (org, customer_key, subscription_id, version_id, start_at, end_at, filters)
      select $1, $2, * from unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::jsonb[])
      where not ${RESTRICTED}
      on conflict (org, subscription_id) do update set
        version_id = excluded.version_id, start_at = excluded.start_at, filters = excluded.filters, taken_at = now(),
        end_at = case when $8::text is null and (held.end_at is null or held.end_at > excluded.end_at)
          then held.end_at else excluded.end_at end`,
    values: [
      org,
      customerKey,
      reservations.map(({ subscriptionId }) => subscriptionId),
      reservations.map(({ versionId }) => versionId),
      reservations.map(({ start }) => start),
      reservations.map(({ end }) => end),
      reservations.map(({ filters }) => JSON.stringify(filters)),
      used?.stream,
      used?.revision,
      used && (performance.now() - used.readAt) / 1_000,
    ],
  });
  return rowCount !== 0;
}

/** Transfer of a reservation from a term to its successor. */
interface TransferredReservation {
  readonly org: Uuid;
  readonly customerKey: Uuid;
  readonly predecessor: Uuid;
  readonly successor: OverlapReservation;
}

/**
 * Transfers reservations. An existing reservation of a successor stays: its term may have ended since. Rows are
 * written in the order of the predecessors, so that two processes cannot deadlock.
 * @returns for each transfer whether the successor had no reservation, or one with the same time span
 */
async function transferReservations(
  pool: Pool,
  passed: readonly TransferredReservation[],
): Promise<boolean[]> {
  const reservations = [...passed].sort((a, b) => (a.predecessor < b.predecessor ? -1 : 1));
  const { rows } = await pool.query<{ org: Uuid; subscription_id: Uuid }>({
    name: 'overlap-reservations-transfer',
    text: `with passed as (
        select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[],
            $7::timestamptz[], $8::jsonb[])
          as p (org, predecessor, subscription_id, customer_key, version_id, start_at, end_at, filters)
      ), former as (
        update placements f set end_at = p.start_at from passed p
        where f.org = p.org and f.subscription_id = p.predecessor
      ), taken as (
        insert into placements (org, subscription_id, customer_key, version_id, start_at, end_at, filters)
        select org, subscription_id, customer_key, version_id, start_at, end_at, filters from passed
        on conflict (org, subscription_id) do nothing)
      select org, subscription_id from passed p join placements known using (org, subscription_id)
      where (known.start_at, known.end_at) is distinct from (p.start_at, p.end_at)`,
    values: [
      reservations.map(({ org }) => org),
      reservations.map(({ predecessor }) => predecessor),
      reservations.map(({ successor }) => successor.subscriptionId),
      reservations.map(({ customerKey }) => customerKey),
      reservations.map(({ successor }) => successor.versionId),
      reservations.map(({ successor }) => successor.start),
      reservations.map(({ successor }) => successor.end),
      reservations.map(({ successor }) => JSON.stringify(successor.filters)),
    ],
  });
  const differing = new Set(rows.map((row) => `${row.org} ${row.subscription_id}`));
  return passed.map(({ org, successor }) => !differing.has(`${org} ${successor.subscriptionId}`));
}
