import type pg from 'pg';
import { comparePositions, type RecordedEvent } from '../../src/kernel/event.js';
import { inTransaction } from '../../src/platform/database/open-database.js';
import type { ParkedStream } from '../../src/platform/eventsourcing/read-models.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { BatchWriter } from './batch-writer.js';
import { CheckpointTaken, lockCheckpoint, type ProjectionCheckpoint } from './checkpoint.js';
import type { Projection } from './projection.js';

/**
 * Parked streams of one build. An event of each cannot be applied, so later ones cannot either. A retry
 * applies all missed events of a stream in one transaction, or none.
 */
export class ParkedStreams {
  private readonly streams = new Set<string>();

  private constructor(
    private readonly pool: pg.Pool,
    private readonly store: EventStore,
    private readonly build: Projection,
    private readonly epoch: bigint,
  ) {}

  /** Retries every parked stream, as newer code may be able to apply its events. @param checkpoint of the build */
  static async open(
    pool: pg.Pool,
    store: EventStore,
    build: Projection,
    checkpoint: ProjectionCheckpoint,
  ): Promise<ParkedStreams> {
    const parked = new ParkedStreams(pool, store, build, checkpoint.epoch);
    const { rows } = await pool.query<{ stream: string; revision: string }>(
      'select stream, revision from projection_parked_streams where projection = $1 and version = $2',
      [build.name, build.version],
    );
    for (const { stream, revision } of rows) {
      const missed: RecordedEvent[] = [];
      for await (const event of store.readStream(stream, { from: BigInt(revision) })) {
        if (comparePositions(event.position, checkpoint.position) <= 0) missed.push(event);
      }
      await parked.catchUp(stream, missed, checkpoint).catch((error: Error) => {
        if (error instanceof CheckpointTaken) throw error;
        return parked.keep(stream, error);
      });
    }
    return parked;
  }

  /** Returns the projection with handlers that ignore events of parked streams. */
  filtered(): Projection {
    const on = Object.entries(this.build.on).map(([type, handler]) => [
      type,
      handler === 'ignore'
        ? handler
        : (event: RecordedEvent) => (this.streams.has(event.stream) ? [] : handler(event)),
    ]);
    return { ...this.build, on: Object.fromEntries(on) as Projection['on'] };
  }

  /**
   * Omits the stream from this event on.
   * @throws CheckpointTaken when another process runs the projection: it may have applied the event
   */
  async park({ stream, revision }: RecordedEvent, reason: string): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      await lockCheckpoint(client, this.build, this.epoch);
      await client.query(
        `insert into projection_parked_streams (projection, version, stream, revision, reason)
         values ($1, $2, $3, $4, $5) on conflict do nothing`,
        [this.build.name, this.build.version, stream, revision, reason],
      );
    });
    this.streams.add(stream);
  }

  /** Tells whether an operator has requested a retry. */
  async isRetryRequested(): Promise<boolean> {
    if (this.streams.size === 0) return false;
    const { rowCount } = await this.pool.query(
      'select from projection_parked_streams where projection = $1 and version = $2 and retry limit 1',
      [this.build.name, this.build.version],
    );
    return rowCount! > 0;
  }

  /** Applies the missed events and unparks the stream in one transaction; the checkpoint stays where it is. */
  private async catchUp(
    stream: string,
    missed: readonly RecordedEvent[],
    at: ProjectionCheckpoint,
  ): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      await lockCheckpoint(client, this.build, at.epoch);
      if (missed.length > 0) {
        const writer = new BatchWriter(client, this.build, at.epoch);
        await writer.apply(at.position, missed, at.store, at.position);
        await this.build.missed?.(client, this.store, missed);
      }
      await client.query(
        'delete from projection_parked_streams where projection = $1 and version = $2 and stream = $3',
        [this.build.name, this.build.version, stream],
      );
    });
  }

  private async keep(stream: string, { message }: Error): Promise<void> {
    this.streams.add(stream);
    await this.pool.query(
      `update projection_parked_streams set retry = false, reason = $4
       where projection = $1 and version = $2 and stream = $3`,
      [this.build.name, this.build.version, stream, message],
    );
  }
}

/** Unparks all streams of a projection whose new build, live from this transaction on, has their events. */
export async function unparkAll(
  client: Pick<pg.PoolClient, 'query'>,
  store: EventStore,
  { name, missed }: Projection,
): Promise<void> {
  const { rows } = await client.query<{ stream: string; revision: string }>(
    'delete from projection_parked_streams where projection = $1 returning stream, revision',
    [name],
  );
  for (const { stream, revision } of missed ? rows : []) {
    const events: RecordedEvent[] = [];
    for await (const event of store.readStream(stream, { from: BigInt(revision) })) events.push(event);
    if (events.length > 0) await missed!(client, store, events);
  }
}

/** Lists the parked streams of the live builds, the oldest first. */
export async function listParkedStreams(db: Pick<pg.Pool, 'query'>): Promise<readonly ParkedStream[]> {
  const { rows } = await db.query<ParkedStream>(`select projection, stream, revision, reason, parked_at
    from projection_parked_streams p join projection_checkpoints c using (projection, version) where c.live
    order by parked_at, projection, stream`);
  return rows;
}

/**
 * Requests a retry from the process that runs the projection, which acts within a second.
 * @returns the number of streams
 */
export async function requestRetry(db: Pick<pg.Pool, 'query'>, projection: string): Promise<number> {
  const { rowCount } = await db.query(
    'update projection_parked_streams set retry = true where projection = $1',
    [projection],
  );
  return rowCount ?? 0;
}
