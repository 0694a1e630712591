import type { Pool, PoolClient } from 'pg';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../kernel/errors.js';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { streamName } from '../kernel/stream.js';
import { Database } from '../platform/database/open-database.js';
import { isStatementError } from '../platform/database/statement-error.js';
import { inTransaction } from '../platform/database/transaction.js';
import { EVENT_STORE, type EventStore } from '../platform/event-store/event-store.js';
import { Gathering } from '../platform/gathering.js';
import type { Term } from './domain/events.js';
import { collide, placementOf } from './domain/placement.js';
import {
  dropAbandoned,
  dropPlace,
  passPlacesOn,
  placesHeld,
  putPlace,
  type HeldPlace,
  type PassedPlace,
} from './placements-table.js';

/** No two subscriptions of one customer to one version overlap with comparable filters (architecture.md 3.2). */
@Injectable()
export class Placements {
  readonly #pool: Pool;
  /** A sweep renews many terms at once. */
  readonly #passing = new Gathering<PassedPlace, true>(
    async (places) => {
      await passPlacesOn(this.#pool, places);
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
   * Takes the place of a term that is about to be started. A repeat meets its own place.
   * @throws DomainError `overlapping_plans`
   */
  async take(org: Uuid, term: Term): Promise<void> {
    await this.find(org, term, true);
  }

  /** Whether the place could be taken, for a preview. @throws DomainError `overlapping_plans` */
  async requireFree(org: Uuid, term: Term): Promise<void> {
    await this.find(org, term, false);
  }

  private async find(org: Uuid, term: Term, keep: boolean): Promise<void> {
    const wanted = placementOf(term);
    for (;;) {
      const inTheWay = await this.withCustomerLocked(org, term.customerKey, async (client) => {
        const held = await placesHeld(client, org, term.customerKey, wanted);
        const other = held.find((place) => collide(place, wanted));
        if (!other && keep) await putPlace(client, org, term.customerKey, wanted);
        return other;
      });
      if (!inTheWay) return;
      if (!(await this.release(org, inTheWay))) throw overlapping();
    }
  }

  /** The place goes on under the successor, which never has to ask for it. Passing it on again changes nothing. */
  async passOn(org: Uuid, predecessor: Uuid, successor: Term): Promise<void> {
    const { customerKey } = successor;
    await this.#passing.add({ org, customerKey, predecessor, successor: placementOf(successor) });
  }

  /** @param end null: open-ended */
  async endAt(org: Uuid, subscriptionId: Uuid, end: Instant | null): Promise<void> {
    await this.#pool.query({
      name: 'placements-end',
      text: 'update placements set end_at = $3 where org = $1 and subscription_id = $2',
      values: [org, subscriptionId, end],
    });
  }

  /** Frees a place that was taken for a subscription that will not come to be. */
  async giveUp(org: Uuid, subscriptionId: Uuid): Promise<void> {
    await dropPlace(this.#pool, org, subscriptionId);
  }

  /** Frees a place whose subscription never came to be. Says whether it did. */
  private async release(org: Uuid, { subscriptionId, abandonable }: HeldPlace): Promise<boolean> {
    if (!abandonable) return false;
    const stream = streamName('subscription', org, subscriptionId);
    for await (const event of this.store.readStream(stream, { limit: 1 })) if (event) return false;
    await dropAbandoned(this.#pool, org, subscriptionId);
    return true;
  }

  /** A short transaction in which nobody else looks at this customer's places. */
  private withCustomerLocked<Result>(
    org: Uuid,
    customerKey: Uuid,
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    return inTransaction(this.#pool, async (client) => {
      await client.query({
        name: 'placements-lock',
        text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
        values: [`placements ${org}.${customerKey}`],
      });
      return work(client);
    });
  }
}

const overlapping = (): DomainError =>
  new DomainError(
    'overlapping_plans',
    'The customer has a subscription to this plan version at overlapping times, with comparable filters.',
  );
