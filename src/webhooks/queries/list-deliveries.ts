import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Slice } from '../../platform/database/cursor.js';
import { orderingsOf } from '../../platform/database/ordering.js';
import { OpaquePositions } from '../../platform/privacy/vault.js';
import { Deliveries, type Delivery, type DeliveryStatus } from '../deliveries.js';
import { GetWebhook } from './webhooks.js';

/** Purposes of the cursors; they differ from that of other positions. */
const CURSOR = { oldestFirst: 'webhook deliveries', newestFirst: 'webhook deliveries, newest first' };

export const DELIVERY_ORDERINGS = orderingsOf(['sequence']);

interface DeliveryPage {
  /** Undefined: in the order of sending. */
  readonly ordering: (typeof DELIVERY_ORDERINGS)[number] | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export class ListDeliveries extends Query<Slice<Delivery>> {
  constructor(
    readonly org: Uuid,
    readonly id: Uuid | undefined,
    /** Statuses to list; empty for all. */
    readonly statuses: readonly DeliveryStatus[],
    readonly page: DeliveryPage,
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

  /** @throws DomainError `not_found`, or `invalid` for a cursor of another list or order */
  async execute({ org, id, statuses, page }: ListDeliveries): Promise<Slice<Delivery>> {
    const { ordering, limit, cursor } = page;
    const isNewestFirst = ordering === '-sequence';
    const purpose = isNewestFirst ? CURSOR.newestFirst : CURSOR.oldestFirst;
    const after = cursor === undefined ? undefined : this.readCursor(org, purpose, cursor);
    const endpoint = await this.queries.execute(new GetWebhook(org, id));
    const part = { isNewestFirst, after, limit: limit + 1 };
    const found = await this.deliveries.list(endpoint.id, statuses, part);
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    // Encrypts the index, because it counts the deliveries of all organizations.
    const nextCursor =
      last && this.positions.conceal(org, purpose, { commit: BigInt(last.place), prepare: 0n });
    return { rows, nextCursor };
  }

  private readCursor(org: Uuid, purpose: string, cursor: string): bigint {
    const last = this.positions.reveal(org, purpose, cursor);
    if (last) return last.commit;
    const detail =
      'This cursor is not from the list of deliveries in this order. Give a cursor from the Link header of the page before.';
    throw invalidFields({ code: 'invalid', detail, attr: 'cursor' });
  }
}
