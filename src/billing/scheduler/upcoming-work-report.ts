import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { DAY, plusMicros, type Instant } from '../../kernel/instant.js';
import { OLDEST_EVENT } from '../../metering/domain/usage-base.js';
import { LateUsage } from '../../metering/late-usage.js';
import { countedSpanOf, type CountedWindow } from '../late-usage/late-usage-scan.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Database } from '../../platform/database/open-database.js';

/** Work of a day in UTC. */
interface DueOfDay {
  readonly day: string;
  readonly boundaries: number;
  readonly accounts: number;
  readonly payments: number;
}

interface DuePaymentsOfCurrency {
  readonly currency: string;
  readonly invoices: number;
  /** Amount in major units. */
  readonly cost_due: string;
}

export interface UpcomingWork {
  readonly asOf: Instant;
  readonly until: Instant;
  /** Days from today on, one entry each. */
  readonly days: readonly DueOfDay[];
  readonly payments: readonly DuePaymentsOfCurrency[];
  /** Due by now and not done, parked work included. */
  readonly waiting: number;
  readonly parked: number;
  readonly late: { readonly windows: number; readonly examined: number };
}

interface Counts {
  readonly waiting: number;
  readonly parked: number;
}

/** Windows that a request looks at for late usage. */
const MAX_WINDOWS = 500;

/** Shows what the scheduler will do for an organization in the next days, and what is late. */
@Injectable()
export class UpcomingWorkReport {
  constructor(
    private readonly database: Database,
    private readonly late: LateUsage,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async read(org: Uuid, dayCount: number): Promise<UpcomingWork> {
    const now = await this.clock.now(org);
    const until = plusMicros(`${now.slice(0, 10)}T00:00:00.000000Z` as Instant, BigInt(dayCount) * DAY);
    const [days, payments, counts, late] = await Promise.all([
      this.query<DueOfDay>('upcoming-work-days', DAYS, [org, now, until]),
      this.query<DuePaymentsOfCurrency>('upcoming-work-payments', PAYMENTS, [org, now, until]),
      this.query<Counts>('upcoming-work-waiting', WAITING, [org, now]),
      this.lateUsage(org, now),
    ]);
    return { asOf: now, until, days, payments, ...counts[0]!, late };
  }

  /** Counts closed windows with usage that came after their count, of the windows that ended last. */
  private async lateUsage(org: Uuid, now: Instant): Promise<UpcomingWork['late']> {
    const oldest = plusMicros(now, -OLDEST_EVENT);
    const windows = await this.query<CountedWindow>('upcoming-work-closed', CLOSED, [
      org,
      oldest,
      MAX_WINDOWS,
    ]);
    const received = await this.late.firstReceived(org, windows.map(countedSpanOf));
    return { windows: received.size, examined: windows.length };
  }

  private async query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return (await this.database.pool.query<Row>({ name, text, values })).rows;
  }
}

/** Accounts by the instant at which their next run can be: after the grace, where the invoice waits for it. */
const ACCOUNTS = `
  select min(d.due_at + case when d.graced then g.late_event_grace_minutes * interval '1 minute' else interval '0' end) as at
  from due_billing d join billing_grace g on g.org = d.org
  where d.org = $1 and d.due_at is not null group by d.customer_key, d.currency`;

const countOf = (column: string): string =>
  `coalesce(sum(count) filter (where kind = '${column}'), 0)::integer as ${column}`;

/** Work is added up by day first, so that each piece of it is looked at once. */
const DAYS = `
  with due as (
    select 'boundaries' as kind, boundary as at from due_terms where org = $1 and boundary > $2 and boundary < $3
    union all select 'accounts', at from (${ACCOUNTS}) a where at > $2 and at < $3
    union all select 'payments', due_at from due_payments where org = $1 and due_at > $2 and due_at < $3
  ), counted as (
    select kind, (at at time zone 'UTC')::date as day, count(*) as count from due group by 1, 2
  )
  select day::date as day, ${['boundaries', 'accounts', 'payments'].map(countOf).join(', ')}
  from generate_series(date_trunc('day', $2::timestamptz at time zone 'UTC'),
    $3::timestamptz at time zone 'UTC' - interval '1 day', interval '1 day') as day
  left join counted using (day)
  group by day order by day`;

/** Amounts of `due_payments` are in minor units, those of invoices in major ones. */
const PAYMENTS = `
  select i.currency, count(*)::integer as invoices, sum(i.cost_due) as cost_due
  from due_payments d join invoices i using (org, invoice_id)
  where d.org = $1 and d.due_at > $2 and d.due_at < $3
    and i.invoice_number is not null and i.voided_at is null and i.cost_due > 0
  group by i.currency order by i.currency`;

const WAITING = `
  select ((select count(*) from due_terms where org = $1 and boundary <= $2)
      + (select count(*) from (${ACCOUNTS}) a where at <= $2)
      + (select count(*) from due_payments where org = $1 and due_at <= $2))::integer as waiting,
    (select count(*) from parked_work where org = $1 and resolved_at is null)::integer as parked`;

/** Latest counts only: a count that another supersedes, or that a count of more of its window follows, is not asked about. */
const CLOSED = `
  select c.customer_key, m.event_name, m.metric_type, c.window_start, c.window_end, c.sealed_up_to
  from usage_closes c join metrics m on m.org = c.org and m.metric_id = c.metric_id
  where c.org = $1 and c.window_end > $2 and not exists (
    select from usage_closes s where s.org = c.org and s.subscription_id = c.subscription_id
      and s.window_start = c.window_start
      and (s.supersedes = c.close_id or s.charge_key = c.charge_key and s.window_end > c.window_end))
  order by c.window_end desc, c.close_id limit $3`;
