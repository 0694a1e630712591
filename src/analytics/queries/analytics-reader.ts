import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { Database } from '../../platform/database/open-database.js';
import { READ_MODELS, type ReadModels } from '../../platform/eventsourcing/read-models.js';
import { LOG_POSITION, OpaquePositions } from '../../platform/privacy/vault.js';

/** Rows with the time and the position that they are as of. */
export interface RowsAsOf<Rows> {
  /** Present time of the organization, which ends months and ages debts. */
  readonly asOf: Instant;
  /**
   * Position of the organization's last event in the rows, as in `X-Recount-Position`; null: no event yet.
   */
  readonly position: string | null;
  readonly rows: Rows;
}

interface Moment {
  readonly as_of: Instant;
  readonly commit: string | null;
  readonly prepare: string | null;
}

/** Reads analytics views. */
@Injectable()
export class AnalyticsReader {
  constructor(
    private readonly database: Database,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly positions: OpaquePositions,
  ) {}

  /**
   * Reads rows, present time and position in one statement.
   * @param select takes the organization as $1, the values from $2 on, and has no column `as_of`, `commit`
   *   or `prepare`
   */
  async read<Row extends object>(
    org: Uuid,
    name: string,
    select: string,
    values: readonly unknown[],
  ): Promise<RowsAsOf<readonly Row[]>> {
    // Reads the position first: every read model has applied the log up to it when the statement begins.
    const level = await this.readModels.reached();
    const [commit, prepare] = [`$${values.length + 2}::bigint`, `$${values.length + 3}::bigint`];
    const { rows } = await this.database.pool.query<Moment & { row: boolean | null } & Row>({
      name: `analytics-${name}`,
      text: `select moment.as_of, last.commit, last.prepare, answer.*
        from (select coalesce((select c.now from manual_clock c where c.org = $1), now()) as as_of) moment
        left join lateral (
          select e.commit, e.prepare from audit_entries e
          where e.org = $1 and (e.commit, e.prepare) <= (${commit}, ${prepare})
          order by e.commit desc, e.prepare desc limit 1
        ) last on true
        left join (select true as row, named.* from (${select}) named) answer on true`,
      values: [org, ...values, String(level?.commit ?? -1), String(level?.prepare ?? -1)],
    });
    const { as_of: asOf, commit: at, prepare: within } = rows[0]!;
    const last = at === null ? undefined : { commit: BigInt(at), prepare: BigInt(within!) };
    return {
      asOf,
      position: last ? this.positions.conceal(org, LOG_POSITION, last) : null,
      rows: rows.filter(({ row }) => row),
    };
  }
}
