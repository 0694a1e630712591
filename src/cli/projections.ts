import type { INestApplicationContext } from '@nestjs/common';
import { PROJECTIONS } from '../../projections/registry.js';
import { compareWithLog, saidOfDifference } from '../../projections/runtime/compare-with-log.js';
import { createReadModels } from '../../projections/runtime/create-read-models.js';
import { askForRetry, listParkedStreams } from '../../projections/runtime/parked-streams.js';
import { ProjectionProgress } from '../../projections/runtime/progress.js';
import type { Projection } from '../../projections/runtime/projection.js';
import { rebuild } from '../../projections/runtime/rebuild.js';
import { comparePositions, formatPosition } from '../kernel/event.js';
import { toWireId } from '../kernel/ids.js';
import { Database } from '../platform/database/open-database.js';
import { describeForeignEvents } from '../platform/eventsourcing/store/foreign-events.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';

/** How far each read model is; whether all of them are at the head of the log. */
export async function* projectionsStatus(app: INestApplicationContext): AsyncGenerator<string, boolean> {
  const head = await app.get<EventStore>(EVENT_STORE).head();
  yield `the log is at ${head ? formatPosition(head) : 'its beginning'}`;
  let isWell = true;
  for (const { projection, build, position, updatedAt, stopped } of await app
    .get(ProjectionProgress)
    .status()) {
    const isThere = !head || (position !== undefined && comparePositions(position, head) >= 0);
    isWell &&= isThere && stopped === undefined;
    const place = position ? `at ${formatPosition(position)} since ${updatedAt}` : 'at its beginning';
    const state = stopped ? `STOPPED: ${stopped}` : isThere ? 'up to date' : 'BEHIND';
    yield `${projection}: build ${build ?? 'none'}, ${place}, ${state}`;
  }
  const parked = await listParkedStreams(app.get(Database).pool);
  for (const { projection, stream, revision, reason, parked_at: at } of parked) {
    yield `${projection}: PARKED ${stream} from revision ${revision} on, since ${at}: ${reason}`;
  }
  const foreign = await describeForeignEvents(app.get(Database).pool);
  if (foreign) yield foreign;
  const differing = await differencesFromLog(app);
  yield* differing;
  return isWell && parked.length === 0 && differing.length === 0;
}

/** The read models that are not what the log says, a sentence for each and organization. */
async function differencesFromLog(app: INestApplicationContext): Promise<string[]> {
  const { pool } = app.get(Database);
  const differences = await compareWithLog({ store: app.get<EventStore>(EVENT_STORE), pool }, PROJECTIONS);
  return differences.map(
    (one) =>
      `${one.projection}: DIFFERS FROM THE LOG: ${one.table} of ${toWireId('org', one.org)} has ${saidOfDifference(one)}`,
  );
}

/** Whoever runs the projection tries what it has parked again, within a second. */
export async function* retryProjection(
  app: INestApplicationContext,
  { name }: Projection,
): AsyncGenerator<string, boolean> {
  const count = await askForRetry(app.get(Database).pool, name);
  yield count === 0
    ? `${name}: nothing is parked`
    : `${name}: ${count} of its streams tried again by who runs it`;
  return true;
}

/** Beside a running service or while it is stopped. */
export async function* rebuildProjection(
  app: INestApplicationContext,
  projection: Projection,
): AsyncGenerator<string, boolean> {
  const { pool } = app.get(Database);
  await createReadModels(pool, [projection]);
  return yield* rebuild({ store: app.get<EventStore>(EVENT_STORE), pool }, projection);
}
