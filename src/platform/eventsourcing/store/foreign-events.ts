import type { Pool } from 'pg';
import type { Position } from '../../../kernel/event.js';
import { Batcher } from '../../concurrency/shared-calls.js';
import type { Logger } from '../../telemetry/logger.js';

export const FOREIGN_EVENTS_MIGRATION = `
create table foreign_events (
  commit bigint not null,
  prepare bigint not null,
  type text not null,
  met_at timestamptz not null default now(),
  primary key (commit, prepare)
);
comment on table foreign_events is 'Events of the log that this service did not write and leaves out; at most 10,000 are named.';
comment on column foreign_events.commit is 'Position in the log, with prepare.';
comment on column foreign_events.type is 'As whoever wrote it called it.';
comment on column foreign_events.met_at is 'Wall time at which a process met it first.';`;

/** Limit of stored rows, as another application may append without end. */
const MOST = 10_000;
const AT_ONCE = 500;

interface SeenEvent {
  readonly position: Position;
  readonly type: string;
}

/** Counts events in the log that another application wrote, each once, and logs one warning. */
export class ForeignEvents {
  readonly #inserts = new Batcher<SeenEvent, void>((batch) => this.#insert(batch), { most: AT_ONCE });
  #hasWarned = false;

  constructor(
    private readonly pool: Pool,
    private readonly log: Logger,
  ) {}

  note({ position, type }: SeenEvent): void {
    if (!this.#hasWarned) {
      this.#hasWarned = true;
      this.log.warn(
        { commit: String(position.commit), type },
        'The event log holds events that this service did not write. They are left out; `recount projections status` counts them.',
      );
    }
    this.#inserts.add({ position, type }).catch((err: unknown) => {
      this.log.debug({ err }, 'An event of another application could not be counted.');
    });
  }

  async #insert(batch: readonly SeenEvent[]): Promise<void[]> {
    await this.pool.query({
      name: 'foreign-events-note',
      text: `insert into foreign_events (commit, prepare, type)
        select * from unnest($1::bigint[], $2::bigint[], $3::text[])
        where (select count(*) from foreign_events) < ${MOST}
        on conflict do nothing`,
      values: [
        batch.map(({ position }) => position.commit),
        batch.map(({ position }) => position.prepare),
        batch.map(({ type }) => type.replaceAll('\0', '')),
      ],
    });
    return batch.map(() => undefined);
  }
}

/** Returns a sentence with the numbers and types of foreign events in the log; undefined if there are none. */
export async function describeForeignEvents(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ type: string; events: string; newest: string }>(
    `select type, count(*) as events, max(commit) as newest from foreign_events
     group by type order by count(*) desc, type limit 5`,
  );
  if (rows.length === 0) return undefined;
  const types = rows.map(({ type, events, newest }) => `${events} × ${type}, the newest at ${newest}`);
  return `events of others are left out: ${types.join('; ')}. A node of its own is best for this service`;
}
