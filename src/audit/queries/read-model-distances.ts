import { Inject, Injectable } from '@nestjs/common';
import { comparePositions, type Position, orgOfStream, type RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { Database } from '../../platform/database/open-database.js';
import {
  READ_MODEL_MAINTENANCE,
  READ_MODELS,
  type ParkedStream,
  type ProjectionStatus,
  type ReadModelMaintenance,
  type ReadModels,
} from '../../platform/eventsourcing/read-models.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';

/** Distance of a read model from the log, in events of one organization. */
export interface ReadModelDistance {
  readonly name: string;
  readonly isStopped: boolean;
  /** Limit of counted events is `MAX_EVENTS`. */
  readonly eventsBehind: number;
  /** Recorded time of the first missing event; undefined: none is missing. */
  readonly behindSince: Instant | undefined;
  readonly leftOut: readonly ParkedStream[];
}

interface OwnEvent {
  readonly position: Position;
  readonly recordedAt: Instant;
}

const MAX_EVENTS = 1_000;
/** Limit of events, of all organizations, that a request reads after the ends of the audit log and of other read models. */
const MAX_READ = 20_000;
/** Projection that lists the events of an organization. */
const AUDIT = 'audit';

/**
 * Measures how far each read model is from the log. Only events of the organization count: events of others
 * would reveal their volume.
 */
@Injectable()
export class ReadModelDistances {
  constructor(
    private readonly database: Database,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(READ_MODEL_MAINTENANCE) private readonly maintenance: ReadModelMaintenance,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @param most limit of events that are read from the log */
  async read(org: Uuid, most = MAX_READ): Promise<ReadModelDistance[]> {
    const statuses = await this.readModels.status();
    const [missing, parked] = await Promise.all([
      this.eventsAfter(org, statuses, most),
      this.maintenance.parkedStreams(),
    ]);
    return statuses.map(({ projection, position, stopped }) => {
      const behind = missing.filter((event) => !position || comparePositions(event.position, position) > 0);
      return {
        name: projection,
        isStopped: stopped !== undefined,
        eventsBehind: Math.min(behind.length, MAX_EVENTS),
        behindSince: behind[0]?.recordedAt,
        leftOut: parked.filter((one) => one.projection === projection && orgOfStream(one.stream) === org),
      };
    });
  }

  /**
   * Returns events of the organization that some read model lacks, in order: from the audit log, and from the log after its end.
   */
  private async eventsAfter(
    org: Uuid,
    statuses: readonly ProjectionStatus[],
    most: number,
  ): Promise<OwnEvent[]> {
    const listed = statuses.find(({ projection }) => projection === AUDIT)?.position;
    const { rows } = await this.database.pool.query<{
      commit: string;
      prepare: string;
      recorded_at: Instant;
    }>({
      name: 'read-model-distances',
      text: `select distinct e.commit, e.prepare, e.recorded_at
        from unnest($2::bigint[], $3::bigint[]) as at (commit, prepare)
        cross join lateral (
          select commit, prepare, recorded_at from audit_entries
          where org = $1 and (commit, prepare) > (at.commit, at.prepare)
            and (commit, prepare) <= ($4::bigint, $5::bigint)
          order by commit, prepare limit ${MAX_EVENTS}
        ) e order by 1, 2`,
      values: [
        org,
        statuses.map(({ position }) => String(position?.commit ?? -1)),
        statuses.map(({ position }) => String(position?.prepare ?? -1)),
        String(listed?.commit ?? -1),
        String(listed?.prepare ?? -1),
      ],
    });
    const events: OwnEvent[] = rows.map(({ commit, prepare, recorded_at: recordedAt }) => ({
      position: { commit: BigInt(commit), prepare: BigInt(prepare) },
      recordedAt,
    }));
    for await (const { position, metadata } of this.after(listed, statuses, most))
      if (metadata.org === org) events.push({ position, recordedAt: metadata.recordedAt });
    return events.sort((a, b) => comparePositions(a.position, b.position));
  }

  /**
   * Reads the log after each end of a read model that the audit log does not reach, up to the next end, the last one first.
   * Each end may take an equal part of what is left of the limit: one that is far behind the others takes nearly all of it.
   */
  private async *after(
    listed: Position | undefined,
    statuses: readonly ProjectionStatus[],
    most: number,
  ): AsyncGenerator<RecordedEvent> {
    const ends = endsFrom(listed, statuses);
    let [left, next]: [number, Position | undefined] = [most, undefined];
    for (const [index, end] of ends.entries()) {
      const part = Math.floor(left / (ends.length - index));
      if (part > 0) {
        for await (const event of this.store.readAll(end, part)) {
          left -= 1;
          if (next && comparePositions(event.position, next) > 0) break;
          yield event;
        }
      }
      next = end;
    }
  }
}

/** Returns the end of the audit log, and the ends of read models after it, each once, the last one first. */
function endsFrom(
  listed: Position | undefined,
  statuses: readonly ProjectionStatus[],
): (Position | undefined)[] {
  const later = statuses
    .flatMap(({ position }) => position ?? [])
    .filter((position) => !listed || comparePositions(position, listed) > 0)
    .sort((a, b) => comparePositions(b, a));
  const distinct = later.filter(
    (end, index) => index === 0 || comparePositions(end, later[index - 1]!) !== 0,
  );
  return [...distinct, listed];
}
