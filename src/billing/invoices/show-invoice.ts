import { Query } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';

/** An issued invoice as GET /api/invoices/{id}/ answers it, without a link to its PDF. @throws DomainError `not_found` */
export class ShowInvoice extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly invoiceId: Uuid,
  ) {
    super();
  }
}
