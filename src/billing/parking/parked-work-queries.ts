import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type Uuid, toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import type { NotedRow } from '../../platform/database/noted-rows.js';
import { Parking, type ParkedWork } from './parking.js';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import { DomainError, unknownId } from '../../kernel/errors.js';

/** Lists the next work that was parked after a row, resolved work too. */
export class ListNotedParkedWork extends Query<NotedRow[]> {
  constructor(
    readonly org: Uuid,
    readonly after: NotedRow,
  ) {
    super();
  }
}

@QueryHandler(ListNotedParkedWork)
export class ListNotedParkedWorkHandler implements IQueryHandler<ListNotedParkedWork> {
  constructor(private readonly parking: Parking) {}

  execute({ org, after }: ListNotedParkedWork): Promise<NotedRow[]> {
    return this.parking.parkedAfter(org, after);
  }
}

/** Shows parked work to the organization. @throws DomainError `not_found` */
export class GetParkedWorkResource extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly parkId: Uuid,
  ) {
    super();
  }
}

/** Detail of an unexpected error: its text may name internals, so only the operator sees it. */
const INTERNAL = 'It failed inside the service. Its operator sees why.';

/** Returns the detail that the organization sees. */
export const shownDetail = ({ cause, detail }: ParkedWork): string =>
  cause === 'internal' ? INTERNAL : detail;

@QueryHandler(GetParkedWorkResource)
export class GetParkedWorkResourceHandler implements IQueryHandler<GetParkedWorkResource> {
  constructor(
    private readonly parking: Parking,
    private readonly customers: CustomerDirectory,
  ) {}

  async execute({ org, parkId }: GetParkedWorkResource): Promise<object> {
    const parked = await this.parking.find(org, parkId);
    if (!parked) throw new DomainError('not_found', unknownId('parked work'));
    const { kind, subjectId, customerKey, currency, cause, tries } = parked;
    return {
      parked_id: parkId,
      kind,
      customer: (customerKey && (await this.customers.find(org, customerKey))) || null,
      currency_code: currency || null,
      subscription_id: kind === 'boundary' ? toWireId('sub', subjectId) : null,
      invoice_id: kind === 'past_due' ? toWireId('invoice', subjectId) : null,
      cause,
      detail: shownDetail(parked),
      tries,
      parked_at: formatInstant(parked.parkedAt),
      next_try_at: formatInstant(parked.nextTryAt),
      resolved_at: parked.resolvedAt && formatInstant(parked.resolvedAt),
    };
  }
}
