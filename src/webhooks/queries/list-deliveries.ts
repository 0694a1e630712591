import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import type { Position } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Slice } from '../../platform/database/cursor.js';
import { OpaquePositions } from '../../platform/privacy/vault.js';
import { Deliveries, type Delivery, type DeliveryStatus } from '../deliveries.js';
import { GetWebhook } from './webhooks.js';

const BEGINNING: Position = { commit: 0n, prepare: 0n };
/** Purpose of the cursor; it differs from that of other positions. */
const CURSOR = 'webhook deliveries';

export class ListDeliveries extends Query<Slice<Delivery>> {
  constructor(
    readonly org: Uuid,
    readonly id: Uuid | undefined,
    /** Statuses to list; empty for all. */
    readonly statuses: readonly DeliveryStatus[],
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(
    private readonly queries: QueryBus,
    private readonly deliveries: Deliveries,
    private readonly positions: OpaquePositions,
  ) {}

  /** Lists deliveries in the order of sending. @throws DomainError `not_found` */
  async execute({ org, id, statuses, page: { limit, cursor } }: ListDeliveries): Promise<Slice<Delivery>> {
    const after = cursor === undefined ? BEGINNING : this.positions.reveal(org, CURSOR, cursor);
    if (!after) {
      const detail =
        'This cursor is not from the list of deliveries. Give a cursor from the Link header of the page before.';
      throw invalidFields({ code: 'invalid', detail, attr: 'cursor' });
    }
    const endpoint = await this.queries.execute(new GetWebhook(org, id));
    const found = await this.deliveries.list(endpoint.id, statuses, String(after.commit), limit + 1);
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    // Encrypts the index, because it counts the deliveries of all organizations.
    const nextCursor =
      last && this.positions.conceal(org, CURSOR, { commit: BigInt(last.place), prepare: 0n });
    return { rows, nextCursor };
  }
}
