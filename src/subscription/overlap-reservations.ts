import type { Pool, PoolClient, ClientBase } from 'pg';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../kernel/errors.js';
import type { Uuid } from '../kernel/ids.js';
import { type Instant, earliest } from '../kernel/instant.js';
import { streamName } from '../kernel/event.js';
import { Database, isStatementError, inTransaction } from '../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { Batcher } from '../platform/concurrency/shared-calls.js';
import type { Term, SubscriptionFilter } from './domain/events.js';
import { overlaps, reservationOf, type OverlapReservation } from './domain/overlap-reservation.js';

/** No two subscriptions of one customer to one version overlap with comparable filters (docs/architecture.md#claims). */
@Injectable()
export class OverlapReservations {
  readonly #pool: Pool;
  /** A sweep renews many terms at once. */
  readonly #passing = new Batcher<TransferredReservation, true>(
    async (places) => {
      await transferReservations(this.#pool, places);
      return places.map(() => true);
    },
    { most: 500, isFaultOfItem: isStatementError },
  );

  constructor(
    database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {
    this.#pool = database.pool;
  }

  /**
   * Takes the places of terms of one customer that are about to be started, all of them or none. A repeat meets its
   * own places.
   * @throws DomainError `overlapping_plans`; `ReservationUndecided` when the conflicting reservation may become free
   */
  async reserve(org: Uuid, ...terms: readonly Term[]): Promise<void> {
    await this.find(org, terms, true);
  }

  /** Whether the places could be taken, for a preview. @throws DomainError `overlapping_plans` */
  async requireNoOverlap(org: Uuid, ...terms: readonly Term[]): Promise<void> {
    await this.find(org, terms, false);
  }

  private async find(org: Uuid, terms: readonly Term[], keep: boolean): Promise<void> {
    const [first] = terms;
    if (!first) return;
    const { customerKey } = first;
    const wanted = terms.map(reservationOf);
    for (;;) {
      const inTheWay = await this.withCustomerLocked(org, customerKey, async (client) => {
        const held = await heldReservations(client, org, customerKey, wanted);
        const other = firstCollision(wanted, held);
        if (!other && keep) await saveReservations(client, org, customerKey, wanted);
        return other;
      });
      if (!inTheWay) return;
      if (!('abandonable' in inTheWay)) throw overlapping();
      if (!(await this.releaseAbandoned(org, inTheWay))) throw await this.refusal(org, inTheWay);
    }
  }

  /** The place goes on under the successor, which never has to ask for it. Passing it on again changes nothing. */
  async transfer(org: Uuid, predecessor: Uuid, successor: Term): Promise<void> {
    const { customerKey } = successor;
    await this.#passing.add({ org, customerKey, predecessor, successor: reservationOf(successor) });
  }

  /** @param end null: open-ended */
  async endAt(org: Uuid, subscriptionId: Uuid, end: Instant | null): Promise<void> {
    await this.#pool.query({
      name: 'overlap-reservations-end',
      text: 'update placements set end_at = $3 where org = $1 and subscription_id = $2',
      values: [org, subscriptionId, end],
    });
  }

  /** Frees a place that was taken for a subscription that will not come to be. */
  async release(org: Uuid, subscriptionId: Uuid): Promise<void> {
    await deleteReservation(this.#pool, org, subscriptionId);
  }

  /** Frees a place whose subscription never came to be. Says whether it did. */
  private async releaseAbandoned(
    org: Uuid,
    { subscriptionId, abandonable }: HeldReservation,
  ): Promise<boolean> {
    if (!abandonable || (await this.hasBegun(org, subscriptionId))) return false;
    await deleteAbandoned(this.#pool, org, subscriptionId);
    return true;
  }

  private async refusal(org: Uuid, { subscriptionId }: HeldReservation): Promise<DomainError> {
    return (await this.hasBegun(org, subscriptionId)) ? overlapping() : new ReservationUndecided();
  }

  private async hasBegun(org: Uuid, subscriptionId: Uuid): Promise<boolean> {
    const stream = streamName('subscription', org, subscriptionId);
    for await (const event of this.store.readStream(stream, { limit: 1 })) if (event) return true;
    return false;
  }

  /** A short transaction in which nobody else looks at this customer's places. */
  private withCustomerLocked<Result>(
    org: Uuid,
    customerKey: Uuid,
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    return inTransaction(this.#pool, async (client) => {
      await client.query({
        name: 'overlap-reservations-lock',
        text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
        values: [`placements ${org}.${customerKey}`],
      });
      return work(client);
    });
  }
}

/** The first of the wanted places that collides with a held one, or with a wanted one before it. */
function firstCollision(
  wanted: readonly OverlapReservation[],
  held: readonly HeldReservation[],
): HeldReservation | OverlapReservation | undefined {
  for (const [index, place] of wanted.entries()) {
    const collides = (other: OverlapReservation): boolean =>
      other.subscriptionId !== place.subscriptionId && overlaps(other, place);
    const other = held.find(collides) ?? wanted.slice(0, index).find(collides);
    if (other) return other;
  }
  return undefined;
}

const OVERLAP =
  'The customer has a subscription to this plan version at overlapping times, with comparable filters.';
const overlapping = (): DomainError => new DomainError('overlapping_plans', OVERLAP);

/** The place is held by a command that is still being decided: it may fail and leave the place. */
export class ReservationUndecided extends DomainError {
  constructor() {
    super('overlapping_plans', OVERLAP);
  }
}

export const OVERLAP_RESERVATIONS_SCHEMA = `
create table placements (
  org uuid not null,
  subscription_id uuid not null,
  customer_key uuid not null,
  version_id uuid not null,
  start_at timestamptz not null,
  end_at timestamptz,
  filters jsonb not null,
  taken_at timestamptz not null default now(),
  primary key (org, subscription_id)
);
comment on table placements is 'Which version a customer is subscribed to, when and with which filters: taken before the subscription is written, so that no two overlap.';
comment on column placements.org is 'Organization.';
comment on column placements.subscription_id is 'The term that holds the place.';
comment on column placements.customer_key is 'Customer.';
comment on column placements.version_id is 'Plan version.';
comment on column placements.start_at is 'Start of the term.';
comment on column placements.end_at is 'End of the term; null while it renews itself.';
comment on column placements.filters is 'Subscription filters of the term.';
comment on column placements.taken_at is 'When the place was taken (wall time).';
create index placements_customer on placements (org, customer_key, version_id);`;

/** A place this old whose subscription was never written was taken by a command that died. */
const ABANDONED = `taken_at < now() - interval '1 minute'`;

interface HeldReservation extends OverlapReservation {
  readonly abandonable: boolean;
}

/** The customer's places on the versions of the wanted ones, except those that are over when the first of these begins. */
async function heldReservations(
  client: ClientBase,
  org: Uuid,
  customerKey: Uuid,
  wanted: readonly OverlapReservation[],
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
        ${ABANDONED} as abandonable
      from placements where org = $1 and customer_key = $2 and version_id = any ($3::uuid[])
        and (end_at is null or end_at > $4)`,
    values: [
      org,
      customerKey,
      [...new Set(wanted.map(({ versionId }) => versionId))],
      wanted.map(({ start }) => start).reduce(earliest),
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

async function saveReservations(
  client: ClientBase,
  org: Uuid,
  customerKey: Uuid,
  places: readonly OverlapReservation[],
): Promise<void> {
  await client.query({
    name: 'overlap-reservations-save',
    text: `insert into placements (org, customer_key, subscription_id, version_id, start_at, end_at, filters)
      select $1, $2, * from unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::jsonb[])
      on conflict (org, subscription_id) do update set
        version_id = excluded.version_id, start_at = excluded.start_at, end_at = excluded.end_at,
        filters = excluded.filters, taken_at = now()`,
    values: [
      org,
      customerKey,
      places.map(({ subscriptionId }) => subscriptionId),
      places.map(({ versionId }) => versionId),
      places.map(({ start }) => start),
      places.map(({ end }) => end),
      places.map(({ filters }) => JSON.stringify(filters)),
    ],
  });
}

/** A term and the one it goes on in. */
interface TransferredReservation {
  readonly org: Uuid;
  readonly customerKey: Uuid;
  readonly predecessor: Uuid;
  readonly successor: OverlapReservation;
}

/**
 * Leaves a successor's place as it is when it has one: it may have been ended since. In the order of their names, so
 * that two processes that pass on the same places never wait for each other.
 */
async function transferReservations(pool: Pool, passed: readonly TransferredReservation[]): Promise<void> {
  const places = [...passed].sort((a, b) => (a.predecessor < b.predecessor ? -1 : 1));
  await pool.query({
    name: 'overlap-reservations-transfer',
    text: `with passed as (
        select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[],
            $7::timestamptz[], $8::jsonb[])
          as p (org, predecessor, subscription_id, customer_key, version_id, start_at, end_at, filters)
      ), former as (
        update placements f set end_at = p.start_at from passed p
        where f.org = p.org and f.subscription_id = p.predecessor)
      insert into placements (org, subscription_id, customer_key, version_id, start_at, end_at, filters)
      select org, subscription_id, customer_key, version_id, start_at, end_at, filters from passed
      on conflict (org, subscription_id) do nothing`,
    values: [
      places.map(({ org }) => org),
      places.map(({ predecessor }) => predecessor),
      places.map(({ successor }) => successor.subscriptionId),
      places.map(({ customerKey }) => customerKey),
      places.map(({ successor }) => successor.versionId),
      places.map(({ successor }) => successor.start),
      places.map(({ successor }) => successor.end),
      places.map(({ successor }) => JSON.stringify(successor.filters)),
    ],
  });
}

async function deleteAbandoned(pool: Pool, org: Uuid, subscriptionId: Uuid): Promise<void> {
  await pool.query({
    name: 'overlap-reservations-delete-abandoned',
    text: `delete from placements where org = $1 and subscription_id = $2 and ${ABANDONED}`,
    values: [org, subscriptionId],
  });
}

async function deleteReservation(pool: Pool, org: Uuid, subscriptionId: Uuid): Promise<void> {
  await pool.query({
    name: 'overlap-reservations-delete',
    text: 'delete from placements where org = $1 and subscription_id = $2',
    values: [org, subscriptionId],
  });
}
