import type { ClientBase, Pool } from 'pg';
import type { Uuid } from '../kernel/ids.js';
import { earliest, type Instant } from '../kernel/instant.js';
import type { SubscriptionFilter } from './domain/events.js';
import type { OverlapReservation } from './domain/overlap-reservation.js';

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

export interface HeldReservation extends OverlapReservation {
  readonly abandonable: boolean;
}

/** The customer's places on the versions of the wanted ones, except those that are over when the first of these begins. */
export async function heldReservations(
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

export async function saveReservations(
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
export interface TransferredReservation {
  readonly org: Uuid;
  readonly customerKey: Uuid;
  readonly predecessor: Uuid;
  readonly successor: OverlapReservation;
}

/**
 * Leaves a successor's place as it is when it has one: it may have been ended since. In the order of their names, so
 * that two processes that pass on the same places never wait for each other.
 */
export async function transferReservations(
  pool: Pool,
  passed: readonly TransferredReservation[],
): Promise<void> {
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

export async function deleteAbandoned(pool: Pool, org: Uuid, subscriptionId: Uuid): Promise<void> {
  await pool.query({
    name: 'overlap-reservations-delete-abandoned',
    text: `delete from placements where org = $1 and subscription_id = $2 and ${ABANDONED}`,
    values: [org, subscriptionId],
  });
}

export async function deleteReservation(pool: Pool, org: Uuid, subscriptionId: Uuid): Promise<void> {
  await pool.query({
    name: 'overlap-reservations-delete',
    text: 'delete from placements where org = $1 and subscription_id = $2',
    values: [org, subscriptionId],
  });
}
