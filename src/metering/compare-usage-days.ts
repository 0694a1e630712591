import type pg from 'pg';
import type { Uuid } from '../kernel/ids.js';

/** Usage by day of an organization that is not the number of stored events. */
export interface UsageDaysMismatch {
  readonly org: Uuid;
  /** Days and names whose number differs. */
  readonly rows: number;
  /** Events by `usage_days`, on those days. */
  readonly events: number;
  /** Events by the usage log, on those days. */
  readonly stored: number;
}

/** Compares `usage_days` with the events of all batches that are not queued. Reads every stored event. */
export async function compareUsageDays(pool: Pick<pg.Pool, 'query'>): Promise<UsageDaysMismatch[]> {
  const { rows } = await pool.query<Record<'org' | 'rows' | 'events' | 'stored', string>>(DIFFERING_DAYS);
  return rows.map(({ org, rows: many, events, stored }) => ({
    org: org as Uuid,
    rows: Number(many),
    events: Number(events),
    stored: Number(stored),
  }));
}

const DIFFERING_DAYS = `
  with stored as (
    select org, (event_time at time zone 'UTC')::date as day, event_name, count(*) as stored from usage_events
    where batch_id not in (select batch_id from usage_days_queue) group by 1, 2, 3
  )
  select org, count(*) as rows, coalesce(sum(events), 0) as events, coalesce(sum(stored), 0) as stored
  from usage_days full join stored using (org, day, event_name)
  where events is distinct from stored group by org order by org`;
