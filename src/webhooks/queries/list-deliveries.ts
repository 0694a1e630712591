import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Slice } from '../../platform/database/cursor.js';
import { Deliveries, type Delivery, type DeliveryStatus } from '../deliveries.js';
import { GetWebhook } from './get-webhook.js';

export class ListDeliveries extends Query<Slice<Delivery>> {
  constructor(
    readonly org: Uuid,
    readonly id: Uuid | undefined,
    /** Empty: all. */
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
  ) {}

  /** In the order they are sent in. @throws DomainError `not_found` */
  async execute({
    org,
    id,
    statuses,
    page: { limit, cursor = '0' },
  }: ListDeliveries): Promise<Slice<Delivery>> {
    if (!/^\d{1,18}$/.test(cursor)) {
      const detail = 'Give a cursor from the Link header of the page before.';
      throw invalidFields({ code: 'invalid', detail, attr: 'cursor' });
    }
    const endpoint = await this.queries.execute(new GetWebhook(org, id));
    const found = await this.deliveries.list(endpoint.id, statuses, cursor, limit + 1);
    const rows = found.slice(0, limit);
    return { rows, nextCursor: found.length > limit ? rows.at(-1)!.place : undefined };
  }
}
