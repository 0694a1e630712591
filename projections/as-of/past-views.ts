interface Past {
  /** Names a live table. */
  readonly live: (table: string) => string;
  /** The organization, as SQL. */
  readonly org: string;
  /** The moment, as SQL. */
  readonly at: string;
}

/** Numbers of batches that are not numbered yet: beyond all that are. */
const BEYOND = 2n ** 62n;

/** Tables that only grow, as they were at a moment: the part that was there. Every batch is numbered, as a count then would have done. */
export const PAST_VIEWS: Readonly<Record<string, (past: Past) => string>> = {
  audit_entries: ({ live, org, at }) =>
    `select * from ${live('audit_entries')} where org = ${org} and recorded_at <= ${at}`,
  usage_batches: ({ live, org, at }) =>
    `select b.org, b.batch_id, coalesce(b.sealed_number, ${BEYOND} + b.batch_id) as sealed_number, b.event_count,
       b.earliest_event_time, b.digest, b.received_at, b.is_straggler
     from ${live('usage_batches')} b where b.org = ${org} and b.received_at <= ${at}`,
  usage_events: ({ live, org, at }) =>
    `select e.* from ${live('usage_events')} e where e.org = ${org} and exists (
       select from ${live('usage_batches')} b
       where b.org = e.org and b.batch_id = e.batch_id and b.received_at <= ${at})`,
};
