import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { type Uuid, derivedId } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { Database } from '../../platform/database/open-database.js';
import type { BillableAccount } from '../accounts/domain/account-state.js';
import type { ParkableWork } from '../parking/parking.js';
import type { DueAccount } from '../read-models/due.js';

export interface DueTerm {
  readonly org: Uuid;
  readonly subscription_id: Uuid;
  readonly boundary: Instant;
  /** The account that is billed for it, where the read model has it. */
  readonly customer_key: Uuid | null;
  readonly currency: string | null;
}

export interface DuePayment {
  readonly org: Uuid;
  readonly invoice_id: Uuid;
  readonly customer_key: Uuid;
  readonly currency: string;
  readonly due_at: Instant;
}

const PAGE = 500;

/** Instant at which a row of due_billing may be billed. It adds the grace here, so that a changed setting counts at once. */
const billableAt = sql`(d.due_at + case when d.graced then g.late_event_grace_minutes * interval '1 minute'
  else interval '0' end)`;

/**
 * Returns the part of a run's cause that says why a term is due. It includes the grace, so that a run at the boundary and
 * a run after the grace have different ids.
 */
const dueText = sql`(d.subscription_id || '@' || d.stream_revision || '@' || d.due_at
  || case when d.graced then '+' || g.late_event_grace_minutes else '' end)`;

/** Tests whether work is not parked, or its next try has come. */
const isTried = (
  kind: ParkableWork['kind'],
  org: RawBuilder<unknown>,
  subject: RawBuilder<unknown>,
  until: Instant,
  currency?: RawBuilder<unknown>,
) => sql`not exists (
  select from parked_work p
  where p.org = ${org} and p.kind = ${sql.lit(kind)} and p.subject_id = ${subject} and p.resolved_at is null
    and p.next_try_at > ${until} ${currency ? sql`and p.currency = ${currency}` : sql``})`;

const ofOrg = (column: RawBuilder<unknown>, org: Uuid | undefined) =>
  org === undefined ? sql`` : sql`and ${column} = ${org}`;

/** Finds due accounts, terms and payments by index in the due-billing read model. */
@Injectable()
export class DueAccountsScan {
  constructor(private readonly database: Database) {}

  /** Yields the terms at their boundary, the earliest first. */
  async *terms(until: Instant, org?: Uuid): AsyncGenerator<DueTerm> {
    let after: DueTerm | undefined;
    for (;;) {
      const { rows }: { rows: DueTerm[] } = await sql<DueTerm>`
        select t.org, t.subscription_id, t.boundary, d.customer_key, d.currency
        from due_terms t left join due_billing d using (org, subscription_id)
        where t.boundary <= ${until} ${ofOrg(sql`t.org`, org)} and ${isTried('boundary', sql`t.org`, sql`t.subscription_id`, until)}
          ${after ? sql`and (t.boundary, t.org, t.subscription_id) > (${after.boundary}, ${after.org}, ${after.subscription_id})` : sql``}
        order by t.boundary, t.org, t.subscription_id limit ${sql.lit(PAGE)}`.execute(this.database.db);
      yield* rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1);
    }
  }

  /** Yields the accounts that have something to bill, or a term that a run must meet, each once. */
  async *accounts(until: Instant, org?: Uuid): AsyncGenerator<DueAccount> {
    let after: DueAccount | undefined;
    for (;;) {
      const { rows }: { rows: DueAccount[] } = await sql<DueAccount>`
        select d.org, d.customer_key, d.currency, bool_or(d.billable) as billable,
          max(case when d.billable then greatest(d.due_at, d.recorded_at) else d.recorded_at end) as caused_at,
          string_agg(d.due_text, ' ' order by d.subscription_id, d.billable) as cause,
          array_agg(d.subscription_id::text order by d.subscription_id) as terms
        from (
          select d.*, true as billable, ${dueText} as due_text
          from due_billing d join billing_grace g on g.org = d.org
          where d.due_at <= ${until} and ${billableAt} <= ${until}
          union all
          select d.*, false, d.subscription_id || '@' || d.stream_revision || ' unmet'
          from due_billing d where d.unmet
        ) d
        where true ${ofOrg(sql`d.org`, org)}
          and ${isTried('run', sql`d.org`, sql`d.customer_key`, until, sql`d.currency`)}
          ${after ? sql`and (d.org, d.customer_key, d.currency) > (${after.org}, ${after.customer_key}, ${after.currency})` : sql``}
        group by d.org, d.customer_key, d.currency
        order by d.org, d.customer_key, d.currency limit ${sql.lit(PAGE)}`.execute(this.database.db);
      yield* rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1);
    }
  }

  /** Yields the unpaid invoices whose due date has come, the earliest first. */
  async *payments(until: Instant, org?: Uuid): AsyncGenerator<DuePayment> {
    let after: DuePayment | undefined;
    for (;;) {
      const { rows }: { rows: DuePayment[] } = await sql<DuePayment>`
        select org, invoice_id, customer_key, currency, due_at from due_payments
        where due_at <= ${until} ${ofOrg(sql`org`, org)} and ${isTried('past_due', sql`org`, sql`invoice_id`, until, sql`currency`)}
          ${after ? sql`and (due_at, org, invoice_id) > (${after.due_at}, ${after.org}, ${after.invoice_id})` : sql``}
        order by due_at, org, invoice_id limit ${sql.lit(PAGE)}`.execute(this.database.db);
      yield* rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1);
    }
  }

  /** Returns the instants at which terms of an account are billed, in any order. */
  async plannedRuns(org: Uuid, { customerKey, currency }: BillableAccount): Promise<Instant[]> {
    const { rows } = await sql<{ at: Instant }>`
      select distinct ${billableAt} as at from due_billing d join billing_grace g on g.org = d.org
      where d.org = ${org} and d.customer_key = ${customerKey} and d.currency = ${currency} and d.due_at is not null`.execute(
      this.database.db,
    );
    return rows.map(({ at }) => at);
  }

  /** Returns the next instant after `now` at which the organization has work; undefined when nothing is scheduled. */
  async nextAfter(now: Instant, org: Uuid): Promise<Instant | undefined> {
    const { rows } = await sql<{ at: Instant | null }>`
      select least(
        (select min(boundary) from due_terms where org = ${org} and boundary > ${now}),
        (select min(due_at) from due_payments where org = ${org} and due_at > ${now}),
        (select min(${billableAt}) from due_billing d join billing_grace g on g.org = d.org
          where d.org = ${org} and d.due_at > ${now}::timestamptz - (select max(late_event_grace_minutes) from billing_grace) * interval '1 minute'
            and ${billableAt} > ${now})
      ) as at`.execute(this.database.db);
    return rows[0]?.at ?? undefined;
  }
}

/** Derives the id of a command for due work: every process derives the same id, so it runs once. */
export const dueCommandId = (subject: Uuid, cause: string): Uuid => derivedId(subject, `due ${cause}`);
