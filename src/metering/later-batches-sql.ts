/**
 * Batches after a watermark with usage before an instant: `last_batch`, past which every batch did, and `stragglers`,
 * which did with a lower id. Batches but for stragglers are numbered in the order of their ids, so that a later batch is
 * known by its id alone: it is looked up once for many events. What is not numbered yet counts as later. $1 is the tenant.
 */
export const laterBatches = (watermark: string, until: string): string => `
  select coalesce((
      select batch_id from usage_batches
      where org = $1 and sealed_number <= ${watermark} and not is_straggler
      order by sealed_number desc limit 1
    ), 0) as last_batch,
    array(
      select batch_id from usage_batches
      where org = $1 and is_straggler and sealed_number > ${watermark} and earliest_event_time < ${until}
      union all
      select batch_id from usage_batches
      where org = $1 and sealed_number is null and earliest_event_time < ${until}
    ) as stragglers`;
