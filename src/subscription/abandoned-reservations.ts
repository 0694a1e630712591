import type { Pool } from 'pg';
import type { Uuid } from '../kernel/ids.js';
import { streamName } from '../kernel/event.js';
import type { EventStore } from '../platform/eventsourcing/store/event-store.js';
import { type BulkChangeEvent, bulkChangeDecider } from './domain/bulk-change.js';
import type { OverlapReservation } from './domain/overlap-reservation.js';
import { timeSpanOf } from './domain/term-state.js';
import type { TermReader } from './term-reader.js';

/** A reservation of this age that its subscription does not have was left by a command that did not reach its append. */
export const ABANDONED_SQL = `taken_at < now() - interval '1 minute'`;

export interface HeldReservation extends OverlapReservation {
  readonly abandonable: boolean;
}

/** Latest changes by filter of a customer that may have reserved for a subscription that is not written yet. */
const SEARCHED_CHANGES = 100;

/** Releases reservations that commands have left behind. */
export class AbandonedReservations {
  constructor(
    private readonly pool: Pool,
    private readonly subscriptions: TermReader,
    private readonly store: EventStore,
  ) {}

  /**
   * Releases an abandoned reservation whose subscription will not be written, or sets it to the time span of its term,
   * where a change has lengthened it and did not reach the term.
   * @returns whether it was changed
   */
  async release(org: Uuid, customerKey: Uuid, held: HeldReservation): Promise<boolean> {
    if (!held.abandonable) return false;
    const read = await this.subscriptions.load(org, held.subscriptionId);
    if (!read) return !(await this.isDecided(org, customerKey, held)) && this.delete(org, held);
    const { closedAt, successor, switched } = read.state;
    // A renewed term keeps its open-ended reservation until a policy passes it on: the next term has none before.
    if (closedAt !== null && successor !== null && switched === null) return false;
    const { start, end } = timeSpanOf(read.state);
    if (start === held.start && end === held.end) return false;
    await this.pool.query({
      name: 'overlap-reservations-update-abandoned',
      text: `update placements set start_at = $3, end_at = $4
        where org = $1 and subscription_id = $2 and ${ABANDONED_SQL}`,
      values: [org, held.subscriptionId, start, end],
    });
    return true;
  }

  private async delete(org: Uuid, { subscriptionId }: HeldReservation): Promise<boolean> {
    await this.pool.query({
      name: 'overlap-reservations-delete-abandoned',
      text: `delete from placements where org = $1 and subscription_id = $2 and ${ABANDONED_SQL}`,
      values: [org, subscriptionId],
    });
    return true;
  }

  /** Tells whether a switch is decided whose new subscription a policy still has to begin, as its process has died. */
  private async isDecided(org: Uuid, customerKey: Uuid, held: HeldReservation): Promise<boolean> {
    return (
      (await this.isSuccessor(org, customerKey, held)) || (await this.isOfBulkSwitch(org, customerKey, held))
    );
  }

  private async isSuccessor(
    org: Uuid,
    customerKey: Uuid,
    { subscriptionId, start }: HeldReservation,
  ): Promise<boolean> {
    const { rows } = await this.pool.query<{ subscription_id: Uuid }>({
      name: 'overlap-reservations-before',
      text: `select subscription_id from placements where org = $1 and customer_key = $2 and subscription_id <> $3
        and start_at <= $4 and (end_at is null or end_at >= $4)`,
      values: [org, customerKey, subscriptionId, start],
    });
    for (const row of rows) {
      const read = await this.subscriptions.load(org, row.subscription_id);
      if (read?.state.successor === subscriptionId) return true;
    }
    return false;
  }

  private async isOfBulkSwitch(
    org: Uuid,
    customerKey: Uuid,
    { subscriptionId }: HeldReservation,
  ): Promise<boolean> {
    const stream = streamName(bulkChangeDecider.category, org, customerKey);
    const latest = { direction: 'backwards', limit: SEARCHED_CHANGES } as const;
    for await (const event of this.store.readStream(stream, latest)) {
      const { change } = (event as unknown as BulkChangeEvent).data;
      if (change.kind === 'switch' && change.to.some(({ successorId }) => successorId === subscriptionId))
        return true;
    }
    return false;
  }
}
