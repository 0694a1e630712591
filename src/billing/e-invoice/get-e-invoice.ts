import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { EInvoiceWriter } from './e-invoice-writer.js';

interface EInvoice {
  readonly number: string;
  readonly xml: string;
}

export class GetEInvoice extends Query<EInvoice> {
  constructor(
    readonly org: Uuid,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(GetEInvoice)
export class GetEInvoiceHandler implements IQueryHandler<GetEInvoice> {
  constructor(private readonly writer: EInvoiceWriter) {}

  /** @throws DomainError `not_found`, `invalid_state` */
  execute({ org, name }: GetEInvoice): Promise<EInvoice> {
    return this.writer.write(org, name);
  }
}
