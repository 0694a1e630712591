import { derivedViewName } from '../runtime/derived-views.js';

interface PastScope {
  /** Names a live table. */
  readonly live: (table: string) => string;
  /** The organization, as SQL. */
  readonly org: string;
  /** The moment, as SQL. */
  readonly at: string;
}

/** Stands for the number of a batch that was not numbered yet; it is larger than every number. */
const AFTER_ALL_NUMBERED = 2n ** 62n;

/**
 * Tells whether a key's event of a type was recorded until the moment. Keys older than their events have
 * their own times.
 */
const keyEvent = ({ live, at }: PastScope, type: string, older: string): string =>
  `exists (select from ${live('audit_entries')} a
     where a.org = k.org and a.subject_kind = 'api_key' and a.subject_id = k.id::text and a.type = '${type}'
       and a.recorded_at <= ${at} and (a.changes -> 'takenIn' is null or ${older} <= ${at}))
   or (k.recorded is null and ${older} <= ${at})`;

/** Organization of the kept versions of what belongs to the service. */
const NO_ORGANIZATION = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** Reads a table with kept versions: the versions of the moment. */
const versioned =
  (table: string) =>
  ({ live, org, at }: PastScope): string =>
    `select t.* from ${live(table)} t where t.org = ${org} and t.since <= ${at}
     union all
     select p.* from ${live('setting_versions')} v
     cross join lateral jsonb_populate_record(null::${live(table)}, v.content) p
     where v.org = ${org} and v.kind = '${table}' and v.since <= ${at} and v.until > ${at}`;

/**
 * Tables beside the read models as of a moment. A table that only grows shows its part until the moment, the
 * others show events and kept versions. Every batch is numbered, as a count at the moment would have done.
 */
export const PAST_VIEWS: Readonly<Record<string, (past: PastScope) => string>> = {
  api_keys: (past) =>
    `select k.id, k.org, k.prefix, k.key_hash, k.name, k.scope, k.created_at, k.expires_at,
       case when ${keyEvent(past, 'ApiKeyRevoked', 'k.revoked_at')} then k.revoked_at end as revoked_at, k.recorded, k.seal
     from ${past.live('api_keys')} k
     where k.org = ${past.org} and (${keyEvent(past, 'ApiKeyCreated', 'k.created_at')})`,
  audit_entries: ({ live, org, at }) =>
    `select * from ${live('audit_entries')} where org = ${org} and recorded_at <= ${at}`,
  manual_clock: ({ org, at }) => `select ${org} as org, ${at} as now`,
  parked_work: versioned('parked_work'),
  transparency_checkpoints: ({ live, org, at }) =>
    `select * from ${live('transparency_checkpoints')} where org = ${org} and made_at <= ${at}`,
  transparency_cosignatures: ({ live, org, at }) =>
    `select * from ${live('transparency_cosignatures')} where org = ${org} and added_at <= ${at}`,
  // Every key, as the organization's checkpoints tell which of them there were. Of each the newest start until then.
  transparency_keys: ({ live, at }) =>
    `select k.public_key, k.first_used_at, greatest(
       k.first_used_at, case when k.last_used_at <= ${at} then k.last_used_at end,
       (select max(v.until) from ${live('setting_versions')} v
        where v.org = ${NO_ORGANIZATION} and v.kind = 'transparency_keys' and v.until <= ${at}
          and v.content ->> 'public_key' = k.public_key::text)) as last_used_at
     from ${live('transparency_keys')} k`,
  usage_alerts: versioned('usage_alerts'),
  usage_batches: ({ live, org, at }) =>
    `select b.org, b.batch_id, coalesce(b.sealed_number, ${AFTER_ALL_NUMBERED} + b.batch_id) as sealed_number, b.event_count,
       b.earliest_event_time, b.digest, b.received_at, b.is_straggler
     from ${live('usage_batches')} b where b.org = ${org} and b.received_at <= ${at}`,
  usage_days: ({ live, org, at }) =>
    `select e.org, (e.event_time at time zone 'UTC')::date as day, e.event_name collate "C" as event_name,
       count(*) as events
     from ${live('usage_batches')} b join ${live('usage_events')} e on e.org = b.org and e.batch_id = b.batch_id
     where b.org = ${org} and b.received_at <= ${at} group by 1, 2, 3`,
  usage_days_queue: ({ live }) => `select * from ${live('usage_days_queue')} where false`,
  usage_events: ({ live, org, at }) =>
    `select e.* from ${live('usage_events')} e where e.org = ${org} and exists (
       select from ${live('usage_batches')} b
       where b.org = e.org and b.batch_id = e.batch_id and b.received_at <= ${at})`,
  usage_of_metrics: ({ live }) => `select * from ${live('usage_of_metrics')} where false`,
  webhook_deliveries: versioned('webhook_deliveries'),
  webhook_endpoints: versioned('webhook_endpoints'),
};

/** Name of the past view of a derived view. It differs, as a read model may have the same name. */
export const pastViewName = (view: string): string => `derived_${view}`;

const DERIVED_VIEW = new RegExp(`\\b${derivedViewName('').replace('.', '\\.')}(\\w+)`, 'g');

/** Returns a statement that reads the derived views of the past. */
export const readingPastViews = (sql: string): string =>
  sql.replace(DERIVED_VIEW, (_, view: string) => `pg_temp.${pastViewName(view)}`);
