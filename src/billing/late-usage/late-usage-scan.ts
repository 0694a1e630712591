import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Uuid } from '../../kernel/ids.js';
import { type Instant, latest, MINUTE, plusMicros } from '../../kernel/instant.js';
import { OLDEST_EVENT } from '../../metering/domain/usage-base.js';
import { type CountedSpan, LateUsage } from '../../metering/late-usage.js';
import { Database } from '../../platform/database/open-database.js';
import type { DueAccount } from '../read-models/due.js';
import type { UsageNeed } from '../rating/run.js';
import type { ClosedWindow } from '../rating/usage-needs.js';

/** A closed window as its count is stored, with the metric that it counts. */
export interface CountedWindow {
  readonly customer_key: Uuid;
  readonly event_name: string;
  readonly metric_type: string;
  readonly window_start: Instant;
  readonly window_end: Instant;
  readonly sealed_up_to: string;
}

/** A closed window of an account without a boundary. */
interface IdleWindow extends CountedWindow {
  readonly org: Uuid;
  readonly currency: string;
  readonly subscription_id: Uuid;
  readonly last_run_at: Instant;
}

/** A term of an account without a boundary, with one of its closed windows or, if it has none, without one. */
type IdleTerm = Pick<IdleWindow, 'org' | 'customer_key' | 'currency' | 'subscription_id' | 'last_run_at'> & {
  readonly event_name: string | null;
};

/** Delay from receipt to the run. Late usage is billed within the hour; more that arrives meanwhile joins its invoice. */
const DELAY = 30n * MINUTE;
/**
 * Age at which received usage has been counted by the last run. It must be shorter than `DELAY`, so that the run that late
 * usage causes has counted it, and longer than any ingest request takes.
 */
const SEEN_AFTER = 25n * MINUTE;

/** Number of terms whose windows are read at once. */
const PAGE = 200;

/** Finds late usage of accounts without a boundary (docs/architecture.md#usage-log); other accounts find it in their next run. */
@Injectable()
export class LateUsageScan {
  constructor(
    private readonly database: Database,
    private readonly late: LateUsage,
  ) {}

  /** Lists accounts whose late usage is due. */
  async *accounts(until: Instant, org?: Uuid): AsyncGenerator<DueAccount> {
    for await (const account of this.found(until, org)) if (account.caused_at <= until) yield account;
  }

  /** Finds the next instant after `now` at which late usage of the organization is due. */
  async nextAfter(now: Instant, org: Uuid): Promise<Instant | undefined> {
    let next: Instant | undefined;
    for await (const { caused_at: at } of this.found(now, org)) {
      if (at > now && (next === undefined || at < next)) next = at;
    }
    return next;
  }

  /** Yields each account once, with its earliest late usage: a second cause would run it a second time. */
  private async *found(now: Instant, only: Uuid | undefined): AsyncGenerator<DueAccount> {
    const accounts = new Map<string, DueAccount>();
    let after: IdleTerm | undefined;
    for (;;) {
      const terms = await this.idleTerms(now, after, only);
      const rows = terms.filter(hasWindow);
      for (const org of new Set(rows.map((row) => row.org))) {
        const windows = rows.filter((row) => row.org === org);
        const received = await this.late.firstReceived(
          org,
          windows.map(countedSpanOf),
          windows.map((window) => plusMicros(window.last_run_at, -SEEN_AFTER)),
        );
        for (const [index, at] of received) {
          const { customer_key, currency } = windows[index]!;
          const due = plusMicros(at, DELAY);
          const name = nameOf(windows[index]!);
          const known = accounts.get(name);
          if (known && known.caused_at <= due) continue;
          const cause = `${name} late ${due}`;
          accounts.set(name, {
            org,
            customer_key,
            currency,
            caused_at: due,
            cause,
            billable: true,
            terms: [],
          });
        }
      }
      const count = new Set(terms.map((term) => term.subscription_id)).size;
      after = count < PAGE ? undefined : terms.at(-1);
      // The next page can have more terms of the account that this page ends with.
      const unfinished = after && nameOf(after);
      for (const [name, account] of accounts) {
        if (name === unfinished) continue;
        accounts.delete(name);
        yield account;
      }
      if (!after) return;
    }
  }

  /**
   * Reads a page of terms, then their windows by index. Otherwise the planner reads every window for every term where tables
   * were never analyzed. A term without windows has a row without one. An account without a recent run has no recent window.
   */
  private async idleTerms(
    now: Instant,
    after: IdleTerm | undefined,
    only: Uuid | undefined,
  ): Promise<IdleTerm[]> {
    const since = plusMicros(now, -2n * OLDEST_EVENT);
    const { rows } = await sql<IdleTerm>`
      with idle as materialized (
        select d.org, d.customer_key, d.currency, d.subscription_id, d.last_run_at
        from due_billing d
        where d.due_at is null and d.last_run_at > ${since} ${only ? sql`and d.org = ${only}` : sql``}
          ${after ? sql`and (d.org, d.customer_key, d.currency, d.subscription_id) > (${after.org}, ${after.customer_key}, ${after.currency}, ${after.subscription_id})` : sql``}
          and not exists (
            select from due_billing o
            where o.org = d.org and o.customer_key = d.customer_key and o.currency = d.currency and o.due_at is not null)
        order by d.org, d.customer_key, d.currency, d.subscription_id limit ${sql.lit(PAGE)}
      )
      select d.org, d.customer_key, d.currency, d.subscription_id, d.last_run_at, c.event_name, c.metric_type,
        c.window_start, c.window_end, c.sealed_up_to
      from idle d
      left join lateral (
        select m.event_name, m.metric_type, u.window_start, u.window_end, u.sealed_up_to
        from (select * from usage_closes where org = d.org and subscription_id = d.subscription_id offset 0) u
        join metrics m on m.org = u.org and m.metric_id = u.metric_id
        where u.window_end > ${since}
      ) c on true
      order by d.org, d.customer_key, d.currency, d.subscription_id`.execute(this.database.db);
    return rows;
  }
}

const hasWindow = (term: IdleTerm): term is IdleWindow => term.event_name !== null;

const nameOf = ({ org, customer_key: customerKey, currency }: IdleTerm): string =>
  `${org} ${customerKey} ${currency}`;

/** A gauge starts at the level before the window and a rate looks back: earlier events can change them. */
export function countedSpanOf(window: CountedWindow): CountedSpan {
  const oldest = plusMicros(window.window_end, -OLDEST_EVENT);
  return {
    customerKey: window.customer_key,
    eventName: window.event_name,
    from: window.metric_type === 'counter' ? latest(window.window_start, oldest) : oldest,
    to: window.window_end,
    countedUpTo: window.sealed_up_to,
  };
}

/** Selects the closed windows of a run that have got usage since they were counted: the run counts them again. */
export async function windowsWithLateUsage(
  late: LateUsage,
  org: Uuid,
  customerKey: Uuid,
  closed: readonly ClosedWindow[],
  sealedUpTo: bigint,
): Promise<UsageNeed[]> {
  const open = closed.filter(({ count }) => BigInt(count.sealedUpTo) < sealedUpTo);
  if (open.length === 0) return [];
  const spans = open.map(({ need: { definition, reading }, count }) => ({
    customerKey,
    eventName: definition.eventName,
    from: latest(reading.start, plusMicros(reading.end, -OLDEST_EVENT)),
    to: reading.end,
    countedUpTo: count.sealedUpTo,
  }));
  const received = await late.firstReceived(org, spans);
  return open.flatMap(({ need }, index) => (received.has(index) ? [need] : []));
}
