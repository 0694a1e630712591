import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import { DomainError } from '../../kernel/errors.js';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { Parking } from './parking.js';

/** Parked work as those are told who run the tenant's billing. @throws DomainError `not_found` */
export class ShowParked extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly parkId: Uuid,
  ) {
    super();
  }
}

/** An unforeseen failure is for the operator: its message may name internals. */
const INTERNAL = 'It failed inside the service. Its operator sees why.';

@QueryHandler(ShowParked)
export class ShowParkedHandler implements IQueryHandler<ShowParked> {
  constructor(
    private readonly parking: Parking,
    private readonly customers: CustomerDirectory,
  ) {}

  async execute({ org, parkId }: ShowParked): Promise<object> {
    const parked = await this.parking.find(org, parkId);
    if (!parked) throw new DomainError('not_found', 'There is no parked work with this id.');
    const { kind, subjectId, customerKey, currency, cause, detail, tries } = parked;
    return {
      parked_id: parkId,
      kind,
      customer: (customerKey && (await this.customers.find(org, customerKey))) || null,
      currency_code: currency || null,
      subscription_id: kind === 'boundary' ? toWireId('sub', subjectId) : null,
      invoice_id: kind === 'past_due' ? toWireId('invoice', subjectId) : null,
      cause,
      detail: cause === 'internal' ? INTERNAL : detail,
      tries,
      parked_at: formatInstant(parked.parkedAt),
      next_try_at: formatInstant(parked.nextTryAt),
      resolved_at: parked.resolvedAt && formatInstant(parked.resolvedAt),
    };
  }
}
