/**
 * The body hash of an event `e` as PostgreSQL computes it from the row: sha256 over the canonical JSON that `bodyHashOf`
 * (domain/usage-event.ts) writes. The text is always JSON of exactly what the row holds, so an equal hash proves the row.
 * A different one proves nothing: nested properties, numbers beyond 1e21 or below 1e-6 and names outside the Basic
 * Multilingual Plane are written in another way here. Such rows are few; `bodyHashOf` has the last word on them.
 * In the statement itself and not a function: PostgreSQL does not inline one with a subquery, which costs three times as much.
 */
export const BODY_HASH = `sha256(convert_to(
  '[' || to_json(e.idempotency_id)::text || ',"' || e.customer_key || '",' || to_json(e.event_name)::text
    || ',"' || to_char(e.event_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '",'
    || case when jsonb_typeof(e.properties) = 'object' then '{' || coalesce((
        select string_agg(to_json(member.name)::text || ':' || member.value::text, ',' order by member.name collate "C")
        from jsonb_each(e.properties) as member (name, value)), '') || '}' end
    || ']', 'UTF8'))`;
