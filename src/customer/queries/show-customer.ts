import { Query } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';

/** A customer as GET /api/customers/{id}/ answers it, without its person once it was erased. @throws DomainError `not_found` */
export class ShowCustomer extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly customerKey: Uuid,
  ) {
    super();
  }
}
