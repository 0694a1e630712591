import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import {
  isAfterCursor,
  readPage,
  sliceOfPage,
  type RowSize,
  type Slice,
} from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import { orderingsOf, pageInOrder, type ListOrder } from '../../platform/database/ordering.js';
import { Vault } from '../../platform/privacy/vault.js';
import { MAX_EMBEDDED, ReadCustomerDefaults } from '../customer-record-ports.js';
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
  return rows.map((row, index) => ({
    customerKey: row.customer_key,
    personal: opened[index],
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

/** Amount that a customer owes in its own currency. */
interface DueOfCustomer {
  readonly customer_key: Uuid;
  readonly due_currency: string;
  readonly due: string;
}

interface UnpaidInvoiceRow {
  readonly org: Uuid;
  readonly customer_key: Uuid;
  readonly currency: string;
  readonly cost_due: string;
}

/** Orders amounts within the currency of the customer. */
const dueOrder = (name: CustomerOrdering): ListOrder<DueOfCustomer> => ({
  name,
  keys: [
    { sql: sql`due_currency`, type: 'text', valueOf: (row) => row.due_currency },
    { sql: sql`due`, type: 'numeric', valueOf: (row) => row.due },
    { sql: sql`customer_key`, type: 'uuid', valueOf: (row) => row.customer_key },
  ],
});

/** Bytes of a customer in an answer: its own data, and the texts of the subscriptions that are shown with it. */
const bytesOf = (org: Uuid, now: Instant) => sql<number>`(
  select octet_length(c.sealed) from customers c where c.org = ${org} and c.customer_key = page.customer_key
) + coalesce((
  select sum(octet_length(shown.metadata::text) + octet_length(shown.filters::text)) from (
    select s.metadata, s.filters from subscriptions s
    where s.org = ${org} and s.customer_key = page.customer_key
      and s.start_at <= ${now} and (s.end_at > ${now} or s.state = 'open' and s.auto_renew)
    order by s.start_at desc, s.subscription_id limit ${sql.lit(MAX_EMBEDDED)}) shown), 0)`;

@QueryHandler(ListCustomers)
export class ListCustomersHandler implements IQueryHandler<ListCustomers> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly emails: EmailClaims,
    private readonly queries: QueryBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Lists customers. An address is found by its keyed hash, as profiles are sealed. */
  async execute({ org, selection }: ListCustomers): Promise<Slice<CustomerView>> {
    const { email, ordering } = selection;
    const holder = email === undefined ? undefined : await this.emails.customerWith(org, email);
    if (email !== undefined && holder === undefined) return { rows: [], nextCursor: undefined };
    const size = { db: this.database.db, bytes: bytesOf(org, await this.clock.now(org)) };
    const { rows, nextCursor } =
      ordering === undefined
        ? await this.newestFirst(org, selection, holder, size)
        : await this.byAmountDue(org, selection, holder, dueOrder(ordering), size);
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
    size: RowSize,
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
    const cursorOf = (row: CustomerRow) => ({ at: row.created_at, id: row.customer_key });
    return sliceOfPage(await readPage(query, limit, size), cursorOf);
  }

  private async byAmountDue(
    org: Uuid,
    { limit, cursor }: CustomerSelection,
    holder: Uuid | undefined,
    order: ListOrder<DueOfCustomer>,
    size: RowSize,
  ): Promise<Slice<CustomerRow>> {
    const defaults = await this.queries.execute(new ReadCustomerDefaults(org));
    // Before the organization there are no customers.
    if (!defaults) return { rows: [], nextCursor: undefined };
    const { currency } = defaults;
    const db = this.database.db.withTables<{ customers: CustomerRow; invoices: UnpaidInvoiceRow }>();
    const registered = db
      .selectFrom('customers')
      .select(['customer_key', sql<string>`coalesce(currency, ${currency}::text)`.as('due_currency')])
      .select(sql<boolean>`true`.as('is_registered'))
      .where('org', '=', org)
      .where('deleted_at', 'is', null);
    const unpaid = db
      .selectFrom('invoices')
      .select(['customer_key', 'currency', ({ fn }) => fn.sum<string>('cost_due').as('sum')])
      .where('org', '=', org)
      .where(sql<boolean>`payment_status = 'unpaid'`)
      .groupBy(['customer_key', 'currency']);
    // Only hashing and merging can join both sides in full: while the tables have no statistics, PostgreSQL would loop
    // over the sums for every customer.
    const listed = db
      .selectFrom((holder === undefined ? registered : registered.where('customer_key', '=', holder)).as('c'))
      .fullJoin(unpaid.as('u'), (join) =>
        join.onRef('u.customer_key', '=', 'c.customer_key').onRef('u.currency', '=', 'c.due_currency'),
      )
      .select(['c.customer_key', 'c.due_currency', sql<string>`coalesce(u.sum, 0)`.as('due')])
      .where(sql<boolean>`coalesce(c.is_registered, false)`)
      .$castTo<DueOfCustomer>();
    const all = db.selectFrom(listed.as('listed')).selectAll();
    const page = await pageInOrder(all, order, { limit, cursor }, size);
    const found = await db
      .selectFrom('customers')
      .selectAll()
      .where('org', '=', org)
      .where(sql<boolean>`customer_key = any(${page.rows.map((row) => row.customer_key)}::uuid[])`)
      .execute();
    const byKey = new Map(found.map((row) => [row.customer_key, row]));
    const rows = page.rows.map((row) => byKey.get(row.customer_key)).filter((row) => row !== undefined);
    return { ...page, rows };
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
