import type { Uuid } from '../../../kernel/ids.js';

export interface Claim {
  /** Kind of value, such as `email`. */
  readonly kind: string;
  /** Text that must be unique; personal data only as a keyed hash. */
  readonly key: string;
}

/** Claims of one tenant that an append takes for the stream that it begins. */
export interface ClaimsToTake {
  readonly org: Uuid;
  readonly claims: readonly Claim[];
}

/**
 * Returns the parts of a statement that take claims. Rows are inserted in the order of their keys, so that processes never
 * wait for one another in a circle. A subquery finds the holder of each claim: a join that is planned while the table is
 * empty later reads the whole table. A repeat makes its own claim young again: nobody takes it over while the repeat runs.
 * @param list parameter with a JSON list of claims, each with the number of its group's member; arrays would be planned again for each length, at the cost of taking
 * @returns SQL of `wanted`; `held`: claims of other owners, whose `member` takes nothing; `inserted`: new claims, and
 *   claims that the owner held before
 */
export const takingClaims = (list: string): string => `wanted as materialized (
  select w.*, (
    select c.owner_stream from claims c where c.org = w.org and c.kind = w.kind and c.key = w.key
  ) as holder
  from json_to_recordset(${list}) as w (member int, org uuid, kind text, key text, owner text)
), held as materialized (
  select member, kind, key, holder from wanted where holder <> owner
), inserted as (
  insert into claims (org, kind, key, owner_stream)
  select org, kind, key, owner from wanted where member not in (select member from held) order by org, kind, key
  on conflict (org, kind, key) do update set owner_stream = claims.owner_stream,
    taken_at = case when claims.owner_stream = excluded.owner_stream then now() else claims.taken_at end
  returning org, kind, key, owner_stream, taken_at, xmax = 0 as is_new
)`;
