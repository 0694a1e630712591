import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { READ_MODELS, type ReadModels } from '../../platform/eventsourcing/read-models.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { findIssuedInvoice } from '../invoices/issued-invoice.js';
import type { CreditRow } from '../read-models/credits.js';
import type { BillableAccount } from '../runs/billing-run-loader.js';

const READ_MODEL_WITHIN_MS = 2_000;

/** Finds the account of a credit or invoice in the read models; it never changes. */
@Injectable()
export class AccountLookup {
  constructor(
    private readonly database: Database,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws DomainError `not_found`, `unavailable` */
  async ofCredit(org: Uuid, creditId: Uuid | undefined): Promise<BillableAccount & { creditId: Uuid }> {
    const row = creditId && (await this.found(() => this.credit(org, creditId)));
    if (!row) throw new DomainError('not_found', 'There is no credit with this id.');
    return { customerKey: row.customer_key, currency: row.currency, creditId: row.credit_id };
  }

  /** @param name its id or its number. @throws DomainError `not_found`, `unavailable` */
  async ofInvoice(org: Uuid, name: string): Promise<BillableAccount & { invoiceId: Uuid }> {
    const row = await this.found(() => findIssuedInvoice(this.database, org, name));
    if (!row) throw new DomainError('not_found', 'There is no invoice with this id or number.');
    return { customerKey: row.customer_key, currency: row.currency, invoiceId: row.invoice_id };
  }

  /** Looks again after the read models have caught up: the row may be new. */
  private async found<Row>(locate: () => Promise<Row | undefined>): Promise<Row | undefined> {
    const shown = await locate();
    if (shown) return shown;
    const head = await this.store.head();
    if (head && !(await this.readModels.waitFor(head, READ_MODEL_WITHIN_MS))) {
      throw new DomainError('unavailable', 'The read models are behind. Try again in a moment.');
    }
    return locate();
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
