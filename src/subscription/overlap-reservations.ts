import type { Pool, PoolClient } from 'pg';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../kernel/errors.js';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { streamName } from '../kernel/event.js';
import { Database, isStatementError, inTransaction } from '../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { Batcher } from '../platform/concurrency/shared-calls.js';
import type { Term } from './domain/events.js';
import { overlaps, reservationOf, type OverlapReservation } from './domain/overlap-reservation.js';
import {
  deleteAbandoned,
  deleteReservation,
  transferReservations,
  heldReservations,
  saveReservations,
  type HeldReservation,
  type TransferredReservation,
} from './overlap-reservations-table.js';

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
   * @throws DomainError `overlapping_plans`; `PlaceUndecided` when the place in the way may become free again
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
