/** Condition that must hold at any time: an SQL query that returns a row for each violation. */
export interface Invariant {
  readonly name: string;
  /**
   * Returns `what`, the subject of a sentence, for each violation. $1 and $2 are the clocks that rule terms
   * and billing (`nowOf`), $3 is the earliest time to check.
   */
  readonly violations: string;
  /** Setting without which nothing is there to check (docs/operating.md#settings). */
  readonly setting?: 'AUDIT_WITNESSES' | 'AUDIT_BUCKET';
}

/** Due work is done within moments. Work that waits longer than this is not under way any more. */
const PATIENCE = `interval '15 minutes'`;

/** Present time of the organization: $2 has the clocks that differ from the latest, $1. */
export const nowOf = (org: string): string =>
  `coalesce(($2::jsonb ->> ${org}::text)::timestamptz, $1::timestamptz)`;

/** Limit of named violations per invariant. */
const NAMED = 100;

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'every boundary in the past is billed',
    violations: `select 'subscription ' || d.subscription_id || ', due at ' || d.due_at as what
      from due_billing d join billing_grace g using (org)
      where d.due_at <= $1::timestamptz - ${PATIENCE}
        and d.due_at + case when d.graced then g.late_event_grace_minutes else 0 end * interval '1 minute'
          <= ${nowOf('d.org')} - ${PATIENCE}
      order by d.due_at limit ${NAMED}`,
  },
  {
    name: 'every changed term is met by a run',
    violations: `select 'subscription ' || subscription_id || ', changed at ' || recorded_at as what
      from due_billing where unmet and recorded_at <= $1::timestamptz - ${PATIENCE}
        and recorded_at <= ${nowOf('org')} - ${PATIENCE} order by recorded_at limit ${NAMED}`,
  },
  {
    name: 'every term is renewed or ended at its boundary',
    violations: `select 'subscription ' || subscription_id || ', boundary ' || boundary as what
      from due_terms where boundary <= $1::timestamptz - ${PATIENCE}
        and boundary <= ${nowOf('org')} - ${PATIENCE} order by boundary limit ${NAMED}`,
  },
  {
    name: 'no billing is parked',
    violations: `select kind || ' ' || subject_id || ' since ' || parked_at || ' after ' || tries || ' tries: ' || cause as what
      from parked_work where resolved_at is null order by parked_at limit ${NAMED}`,
  },
  {
    name: 'every computed invoice is issued',
    violations: `select 'invoice ' || invoice_id || ', computed at ' || issued_at as what
      from billing_grace join invoices using (org)
      where invoice_number is null and issued_at <= ${nowOf('org')} - ${PATIENCE}
      order by issued_at limit ${NAMED}`,
  },
  {
    name: 'the invoice numbers of a day have no gap and no repeat',
    violations: `select 'day ' || day || ' of organization ' || org || ': ' || many || ' invoices up to number ' || highest as what
      from (
        select org, split_part(invoice_number, '-', 1) as day, count(*) as many,
          count(distinct invoice_number) as different, max(split_part(invoice_number, '-', 2)::bigint) as highest
        from billing_grace join invoices using (org)
        where invoice_number is not null and issued_at <= ${nowOf('org')} and issued_at >= $3::timestamptz
        group by org, day
      ) days
      where many <> highest or different <> many order by day limit ${NAMED}`,
  },
  {
    name: 'usage is sealed in the order in which it came',
    violations: `select 'batch ' || b.batch_id || ' of organization ' || b.org || ', received at ' || b.received_at as what
      from usage_batches b
      where b.sealed_number is null and b.received_at <= ${nowOf('b.org')} and exists (
        select from usage_batches sealed
        where sealed.org = b.org and sealed.sealed_number is not null
          and sealed.received_at > b.received_at + ${PATIENCE})
      order by b.received_at limit ${NAMED}`,
  },
  {
    name: 'no credit is drawn beyond what was granted',
    violations: `select 'credit ' || c.credit_id || ': ' || c.amount || ' granted, ' || coalesce(sum(d.amount), 0) || ' drawn' as what
      from credits c left join credit_drawdowns d using (org, credit_id)
      where c.granted_at <= ${nowOf('c.org')} and c.granted_at >= $3::timestamptz
      group by c.org, c.credit_id, c.amount, c.amount_remaining
      having c.amount_remaining < 0 or coalesce(sum(d.amount), 0) > c.amount
      order by c.credit_id limit ${NAMED}`,
  },
  {
    name: 'every read model follows the log',
    violations: `select 'projection ' || projection || ': ' || stopped as what
      from projection_checkpoints where live and stopped is not null and $1::timestamptz is not null
      union all select 'projection ' || projection || ' has parked ' || stream || ': ' || reason
      from projection_parked_streams p join projection_checkpoints c using (projection, version) where c.live
      limit ${NAMED}`,
  },
  {
    name: 'checkpoints are signed',
    violations: `select distinct sentence as what from transparency_faults where $1::timestamptz is not null limit ${NAMED}`,
  },
  {
    name: 'witnesses cosign checkpoints',
    setting: 'AUDIT_WITNESSES',
    violations: `select distinct sentence as what from transparency_witness_faults where $1::timestamptz is not null limit ${NAMED}`,
  },
  {
    name: 'checkpoints are uploaded',
    setting: 'AUDIT_BUCKET',
    violations: `select distinct sentence as what from transparency_uploads
      where sentence is not null and $1::timestamptz is not null limit ${NAMED}`,
  },
];
