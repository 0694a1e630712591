import { Query } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';

/** A subscription as GET /api/subscriptions/{id}/ answers it. @throws DomainError `resource_not_found` */
export class ShowSubscription extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly subscriptionId: Uuid,
  ) {
    super();
  }
}
