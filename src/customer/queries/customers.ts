import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import { isAfterCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import { Vault } from '../../platform/privacy/vault.js';
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

export class ListCustomers extends Query<Slice<CustomerView>> {
  constructor(
    readonly org: Uuid,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
    /** Keeps the customer with this e-mail address, regardless of case. */
    readonly email?: string,
  ) {
    super();
  }
}

@QueryHandler(ListCustomers)
export class ListCustomersHandler implements IQueryHandler<ListCustomers> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly emails: EmailClaims,
  ) {}

  /** Lists customers, newest first. An address is found by its keyed hash, as profiles are sealed. */
  async execute({ org, page, email }: ListCustomers): Promise<Slice<CustomerView>> {
    let query = this.database.db
      .withTables<{ customers: CustomerRow }>()
      .selectFrom('customers')
      .selectAll()
      .where('org', '=', org)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('customer_key')
      .limit(page.limit + 1);
    if (page.cursor !== undefined)
      query = query.where(isAfterCursor(page.cursor, 'created_at', 'customer_key'));
    if (email !== undefined) {
      const holder = await this.emails.customerWith(org, email);
      if (holder === undefined) return { rows: [], nextCursor: undefined };
      query = query.where('customer_key', '=', holder);
    }
    const rows = await query.execute();
    const { rows: shown, nextCursor } = sliceOf(rows, page.limit, (row) => ({
      at: row.created_at,
      id: row.customer_key,
    }));
    const views = await customerViewsOf(this.vault, org, shown);
    if (email === undefined) return { rows: views, nextCursor };
    // A claim is taken before the address is recorded, and released after it was changed.
    const wantedEmail = normalizeEmail(email);
    const isHolder = ({ personal }: CustomerView) => normalizeEmail(personal?.email ?? '') === wantedEmail;
    return { rows: views.filter(isHolder), nextCursor };
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
