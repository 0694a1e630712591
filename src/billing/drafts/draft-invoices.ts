import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerReader } from '../../customer/customer-directory.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { FairShare } from '../../platform/concurrency/limits.js';
import type { BillableAccount } from '../accounts/domain/account-state.js';
import type { DueBillingRow } from '../read-models/due.js';
import { draftView, NextInvoice } from './next-invoice.js';
import { waitForNumbers } from './wait-for-numbers.js';
import type { InvoiceView } from '../invoices/invoice-view.js';

export class DraftInvoices extends Query<readonly InvoiceView[]> {
  constructor(
    readonly org: Uuid,
    readonly customerId: string,
    /** True if the drafts include the advance charges of the next terms. */
    readonly includeNextPeriod: boolean,
    /** Aborts when the client disconnects. */
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

/** A draft reads an account and counts usage, which takes connections and time however few events there are. */
const SHARE = {
  slots: 4,
  waitMs: 5_000,
  mostWaiting: 100,
  refusal:
    'Your organization asks for more drafts of invoices than are made at once. Send fewer at a time, or try again.',
};

type Account = BillableAccount & { readonly terms: readonly Uuid[] };

/**
 * Computes the invoices of a customer's next boundaries, one per currency, with the usage counted so far. They are
 * computed as a run computes them, and not stored (docs/architecture.md#billing-runs).
 */
@QueryHandler(DraftInvoices)
export class DraftInvoicesHandler implements IQueryHandler<DraftInvoices> {
  readonly #share = new FairShare(SHARE);

  constructor(
    private readonly database: Database,
    private readonly customers: CustomerReader,
    private readonly next: NextInvoice,
  ) {}

  /** @throws DomainError `not_found` for an unknown customer, `amount_out_of_range`, `throttled` */
  execute(query: DraftInvoices): Promise<InvoiceView[]> {
    return this.#share.run(query.org, query.signal, () => this.draftsOf(query));
  }

  private async draftsOf({
    org,
    customerId,
    includeNextPeriod,
    signal,
  }: DraftInvoices): Promise<InvoiceView[]> {
    const customerKey = customerKeyOf(org, customerId);
    if (!(await this.customers.loadPresent(org, customerKey))) {
      throw new DomainError('not_found', unknownId('customer'));
    }
    const drafts: InvoiceView[] = [];
    for (const account of await this.accountsOf(org, customerKey)) {
      signal.throwIfAborted();
      const draft = await this.draftOf(org, account, includeNextPeriod, signal);
      if (draft) drafts.push(draft);
    }
    return drafts;
  }

  /** Computes the draft of one currency; undefined when the next boundary brings no invoice. */
  private async draftOf(
    org: Uuid,
    account: Account,
    withNextPeriod: boolean,
    signal: AbortSignal,
  ): Promise<InvoiceView | undefined> {
    const { terms: newTerms } = account;
    const compute = () => this.next.compute(org, account, { newTerms, withNextPeriod, signal });
    const run = await waitForNumbers(compute);
    return draftView(this.database, org, run);
  }

  /** Lists the terms by currency. Due rows name every unsettled term, also one that no run has met. */
  private async accountsOf(org: Uuid, customerKey: Uuid): Promise<Account[]> {
    const rows = await this.database.db
      .withTables<{ due_billing: DueBillingRow }>()
      .selectFrom('due_billing')
      .select(['currency', 'subscription_id'])
      .where('org', '=', org)
      .where('customer_key', '=', customerKey)
      .orderBy('currency')
      .orderBy('subscription_id')
      .execute();
    return [...new Set(rows.map(({ currency }) => currency))].map((currency) => ({
      customerKey,
      currency,
      terms: rows.filter((row) => row.currency === currency).map((row) => row.subscription_id),
    }));
  }
}
