import { Injectable } from '@nestjs/common';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { ReadModelCatchUp } from '../../platform/eventsourcing/read-model-catch-up.js';
import { findIssuedInvoice } from './issued-invoice.js';
import type { CreditRow } from '../read-models/credits.js';
import type { BillableAccount } from './domain/account-state.js';

/** Finds the account of a credit or invoice in the read models; it never changes. */
@Injectable()
export class AccountLookup {
  constructor(
    private readonly database: Database,
    private readonly catchUp: ReadModelCatchUp,
  ) {}

  /** @throws DomainError `not_found`, `unavailable` */
  async ofCredit(org: Uuid, creditId: Uuid | undefined): Promise<BillableAccount & { creditId: Uuid }> {
    const row = creditId && (await this.catchUp.find(() => this.credit(org, creditId)));
    if (!row) throw new DomainError('not_found', unknownId('credit'));
    return { customerKey: row.customer_key, currency: row.currency, creditId: row.credit_id };
  }

  /** @param name its id or its number. @throws DomainError `not_found`, `unavailable` */
  async ofInvoice(org: Uuid, name: string): Promise<BillableAccount & { invoiceId: Uuid }> {
    const row = await this.catchUp.find(() => findIssuedInvoice(this.database, org, name));
    if (!row)
      throw new DomainError(
        'not_found',
        'There is no invoice with this id or number. Choose one from GET /api/invoices/.',
      );
    return { customerKey: row.customer_key, currency: row.currency, invoiceId: row.invoice_id };
  }

  private credit(org: Uuid, creditId: Uuid) {
    return this.database.db
      .withTables<{ credits: CreditRow }>()
      .selectFrom('credits')
      .select(['credit_id', 'customer_key', 'currency'])
      .where('org', '=', org)
      .where('credit_id', '=', creditId)
      .executeTakeFirst();
  }
}
