import type { Uuid } from '../../../kernel/ids.js';

export interface Claim {
  /** Names the kind of value, such as `email`; each module has kinds of its own. */
  readonly kind: string;
  /** The text that must be unique; personal data only as a keyed hash. */
  readonly key: string;
}

/** Claims of one tenant that an append takes with it, for the stream that it begins. */
export interface ClaimsToTake {
  readonly org: Uuid;
  readonly claims: readonly Claim[];
}

/**
 * Steps of a statement that take claims, as many as come. Rows are inserted in the order of their key, so that processes
 * which want the same wait for one another and never in a circle. The holder is looked up claim by claim: a join is
 * planned while the table is empty and then reads all of it.
 * @param list the parameter that has all of them: one list, as arrays would be planned anew for each length, and
 *   planning costs as much as taking
 * @returns `wanted`; `held`, those of somebody else, whose `place` takes nothing; `inserted`, new or the owner's before
 */
export const takingClaims = (list: string): string => `wanted as materialized (
  select w.*, (
    select c.owner_stream from claims c where c.org = w.org and c.kind = w.kind and c.key = w.key
  ) as holder
  from json_to_recordset(${list}) as w (place int, org uuid, kind text, key text, owner text)
), held as materialized (
  select place, kind, key, holder from wanted where holder <> owner
), inserted as (
  insert into claims (org, kind, key, owner_stream)
  select org, kind, key, owner from wanted where place not in (select place from held) order by org, kind, key
  on conflict (org, kind, key) do update set owner_stream = claims.owner_stream
  returning org, kind, key, owner_stream, xmax = 0 as is_new
)`;
