import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { isAfterCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import { orderingsOf, pageInOrder, type ListOrder } from '../../platform/database/ordering.js';
import { Vault } from '../../platform/privacy/vault.js';
import { ReadCustomerDefaults } from '../customer-record-ports.js';
import { EmailClaims } from '../commands/email-claims.js';
import { normalizeEmail, type UnsealedDetails, type PersonalData } from '../domain/personal-data.js';
import type { CustomerRow } from '../read-models.js';

/** Customer with the data of an answer. */
export interface CustomerView {
  readonly customerKey: Uuid;
  /** Undefined after an erasure. */
  readonly personal: PersonalData | undefined;
  readonly open: UnsealedDetails;
}

/** Opens rows of the read model, all with one statement. */
export async function customerViewsOf(
  vault: Vault,
  org: Uuid,
  rows: readonly CustomerRow[],
): Promise<CustomerView[]> {
  const items = rows.map((row) => ({ subject: row.customer_key, sealed: row.sealed }));
  const opened = await vault.unsealMany<PersonalData>(org, items);
  return rows.map((row, place) => ({
    customerKey: row.customer_key,
    personal: opened[place],
    open: {
      currency: row.currency,
      taxRate: row.tax_rate,
      timezone: row.timezone,
      paymentProvider: row.payment_provider,
    },
  }));
}

export class GetCustomer extends Query<CustomerView> {
  constructor(
    readonly org: Uuid,
    readonly customerId: string,
  ) {
    super();
  }
}

@QueryHandler(GetCustomer)
export class GetCustomerHandler implements IQueryHandler<GetCustomer> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, customerId }: GetCustomer): Promise<CustomerView> {
    const rows = await this.database.db
      .withTables<{ customers: CustomerRow }>()
      .selectFrom('customers')
      .selectAll()
      .where('org', '=', org)
      .where('customer_key', '=', customerKeyOf(org, customerId))
      .where('deleted_at', 'is', null)
      .execute();
    const [view] = await customerViewsOf(this.vault, org, rows);
    if (!view?.personal) throw new DomainError('not_found', unknownId('customer'));
    return view;
  }
}

export const CUSTOMER_ORDERINGS = orderingsOf(['total_amount_due']);
type CustomerOrdering = (typeof CUSTOMER_ORDERINGS)[number];

export interface CustomerSelection {
  /** Keeps the customer with this e-mail address, regardless of case. */
  readonly email: string | undefined;
  /** Undefined: the newest first. */
  readonly ordering: CustomerOrdering | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export class ListCustomers extends Query<Slice<CustomerView>> {
  constructor(
    readonly org: Uuid,
    readonly selection: CustomerSelection,
  ) {
    super();
  }
}

/** Customer with its own currency and what is due in it. */
interface CustomerWithDue extends CustomerRow {
  readonly due_currency: string;
  readonly due: string;
}

/** Orders amounts within the currency of the customer. */
const dueOrder = (name: CustomerOrdering): ListOrder<CustomerWithDue> => ({
  name,
  keys: [
    { sql: sql`due_currency`, type: 'text', valueOf: (row) => row.due_currency },
    { sql: sql`due`, type: 'numeric', valueOf: (row) => row.due },
    { sql: sql`customer_key`, type: 'uuid', valueOf: (row) => row.customer_key },
  ],
});

@QueryHandler(ListCustomers)
export class ListCustomersHandler implements IQueryHandler<ListCustomers> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly emails: EmailClaims,
    private readonly queries: QueryBus,
  ) {}

  /** Lists customers. An address is found by its keyed hash, as profiles are sealed. */
  async execute({ org, selection }: ListCustomers): Promise<Slice<CustomerView>> {
    const { email, ordering } = selection;
    const holder = email === undefined ? undefined : await this.emails.customerWith(org, email);
    if (email !== undefined && holder === undefined) return { rows: [], nextCursor: undefined };
    const { rows, nextCursor } =
      ordering === undefined
        ? await this.newestFirst(org, selection, holder)
        : await this.byAmountDue(org, selection, holder, dueOrder(ordering));
    const views = await customerViewsOf(this.vault, org, rows);
    if (email === undefined) return { rows: views, nextCursor };
    // A claim is taken before the address is recorded, and released after it was changed.
    const wantedEmail = normalizeEmail(email);
    const isHolder = ({ personal }: CustomerView) => normalizeEmail(personal?.email ?? '') === wantedEmail;
    return { rows: views.filter(isHolder), nextCursor };
  }

  private async newestFirst(
    org: Uuid,
    { limit, cursor }: CustomerSelection,
    holder: Uuid | undefined,
  ): Promise<Slice<CustomerRow>> {
    let query = this.database.db
      .withTables<{ customers: CustomerRow }>()
      .selectFrom('customers')
      .selectAll()
      .where('org', '=', org)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('customer_key')
      .limit(limit + 1);
    if (cursor !== undefined) query = query.where(isAfterCursor(cursor, 'created_at', 'customer_key'));
    if (holder !== undefined) query = query.where('customer_key', '=', holder);
    return sliceOf(await query.execute(), limit, (row) => ({ at: row.created_at, id: row.customer_key }));
  }

  private async byAmountDue(
    org: Uuid,
    { limit, cursor }: CustomerSelection,
    holder: Uuid | undefined,
    order: ListOrder<CustomerWithDue>,
  ): Promise<Slice<CustomerRow>> {
    const { currency } = await this.queries.execute(new ReadCustomerDefaults(org));
    const own = sql<string>`coalesce(customers.currency, ${currency}::text)`;
    // Looks each customer up in an index: a join with the sums is quadratic while the tables have no statistics.
    const due = sql<string>`coalesce((
      select sum(cost_due) from invoices
       where invoices.org = customers.org and invoices.customer_key = customers.customer_key
         and invoices.currency = ${own} and invoices.payment_status = 'unpaid'), 0)`;
    const withDue = this.database.db
      .withTables<{ customers: CustomerRow }>()
      .selectFrom('customers')
      .selectAll()
      .select([own.as('due_currency'), due.as('due')])
      .where('org', '=', org)
      .where('deleted_at', 'is', null);
    const wanted = this.database.db
      .withTables<{ customers: CustomerRow }>()
      .selectFrom(withDue.as('listed'))
      .selectAll();
    return pageInOrder(holder === undefined ? wanted : wanted.where('customer_key', '=', holder), order, {
      limit,
      cursor,
    });
  }
}

/** Presents a customer as `GET /api/customers/{id}/` does, without personal data after an erasure. @throws DomainError `not_found` */
export class GetCustomerResource extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly customerKey: Uuid,
  ) {
    super();
  }
}
