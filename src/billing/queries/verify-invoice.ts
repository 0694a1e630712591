import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { Verification } from '../rating/verify.js';
import { InvoiceVerifier } from './invoice-verifier.js';
import { issuedInvoice } from './issued-invoice.js';

export class VerifyInvoice extends Query<Verification> {
  constructor(
    readonly org: Uuid,
    /** Its id or its number, as the caller wrote it. */
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(VerifyInvoice)
export class VerifyInvoiceHandler implements IQueryHandler<VerifyInvoice> {
  constructor(
    private readonly database: Database,
    private readonly verifier: InvoiceVerifier,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, name }: VerifyInvoice): Promise<Verification> {
    return this.verifier.begin()(await issuedInvoice(this.database, org, name));
  }
}
