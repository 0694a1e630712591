import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { formatInstant } from '../../kernel/instant.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import {
  listOf,
  named,
  number,
  object,
  oneOf,
  text,
  type WireOf,
} from '../../platform/http/openapi/schema.js';
import { dateTime } from '../../platform/http/openapi/values.js';
import { ListBulkChanges } from '../queries/list-bulk-changes.js';

const BULK_CHANGE = named(
  'BulkChange',
  object({
    request_id: text(),
    type: oneOf(['change', 'cancel', 'switch']),
    accepted_at: dateTime(),
    status: oneOf(['running', 'done']),
    subscriptions: number({ minimum: 0 }),
    subscriptions_done: number({ minimum: 0 }),
  }),
);

/** Shows the progress of changes by filter to callers that did not wait for the answer. */
@Controller('api/customers')
export class BulkChangesController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':customer_id/bulk_changes')
  @Operation({
    summary: 'Lists the last ten updates and cancellations by filter of a customer, and how far each is.',
    answer: object({ bulk_changes: listOf(BULK_CHANGE) }),
  })
  async listBulkChanges(
    @Caller() { org }: Caller,
    @Param('customer_id') customerId: string,
  ): Promise<{ readonly bulk_changes: readonly WireOf<typeof BULK_CHANGE>[] }> {
    const changes = await this.queries.execute(new ListBulkChanges(org, customerId));
    const bulk_changes = changes.map(({ requestId, kind, acceptedAt, total, done }) => ({
      request_id: requestId,
      type: kind,
      accepted_at: formatInstant(acceptedAt),
      status: done === total ? ('done' as const) : ('running' as const),
      subscriptions: total,
      subscriptions_done: done,
    }));
    return { bulk_changes };
  }
}
