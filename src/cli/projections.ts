import type { INestApplicationContext } from '@nestjs/common';
import { lastingDifferences } from '../audit/doctor/lasting-differences.js';
import { PROJECTION_NAMES, ReadModelsModule } from '../read-models.module.js';
import { BEFORE_ALL, comparePositions, formatPosition } from '../kernel/event.js';
import { toWireId } from '../kernel/ids.js';
import { Database } from '../platform/database/open-database.js';
import {
  READ_MODEL_MAINTENANCE,
  READ_MODELS,
  type ReadModelMaintenance,
  type ReadModels,
} from '../platform/eventsourcing/read-models.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { describeUnreadable } from '../platform/eventsourcing/store/store-down.js';
import { describeForeignEvents } from '../platform/eventsourcing/store/foreign-events.js';
import type { Output } from './output.js';
import type { Composition } from './tools.js';

/** Marks commands that need the read models only. */
export const readModelsOnly: Composition = (platform) => ReadModelsModule.of(platform);

const maintenanceOf = (app: INestApplicationContext): ReadModelMaintenance =>
  app.get<ReadModelMaintenance>(READ_MODEL_MAINTENANCE);

/** Returns the named read model, or all of them; a text with the valid names for any other name. */
export function projectionsOf(name: string | undefined, all: boolean): readonly string[] | string {
  const named = all ? PROJECTION_NAMES : PROJECTION_NAMES.filter((one) => one === name);
  return named.length > 0 && all === (name === undefined)
    ? named
    : `--all or one of ${PROJECTION_NAMES.join(', ')}`;
}

/**
 * Prints the position of each projection, parked streams, foreign events, and where read models differ. A part that cannot
 * be read is named, and the others are printed all the same.
 * @returns whether all of them run, are at the head of the log and match it
 */
export async function* projectionsStatus(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  let isHealthy = true;
  for (const part of [positions, parkedStreams, foreignEvents, schema, differences]) {
    try {
      isHealthy = (yield* part(app)) && isHealthy;
    } catch (error) {
      yield describeUnreadable(error);
      isHealthy = false;
    }
  }
  return isHealthy;
}

async function* positions(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  const store = app.get<EventStore>(EVENT_STORE);
  const head = await store.head();
  yield `the log is at ${head ? formatPosition(head) : 'its beginning'}`;
  let isHealthy = true;
  const statuses = await app.get<ReadModels>(READ_MODELS).status();
  const newest = (await store.head()) ?? BEFORE_ALL;
  for (const { projection, build, position, updatedAt, stopped } of statuses) {
    const reached = position ?? BEFORE_ALL;
    const isBehind = head !== undefined && comparePositions(reached, head) < 0;
    const isAhead = comparePositions(reached, newest) > 0;
    isHealthy &&= !isBehind && !isAhead && stopped === undefined;
    const place = position ? `at ${formatPosition(position)} since ${updatedAt}` : 'at its beginning';
    const lag = isBehind ? 'BEHIND' : isAhead ? 'AHEAD OF THE LOG' : 'up to date';
    const state = stopped ? `STOPPED: ${stopped}` : lag;
    yield {
      text: `${projection}: build ${build ?? 'none'}, ${place}, ${state}`,
      row: {
        read_model: projection,
        build: build ?? null,
        state,
        position: position ? formatPosition(position) : null,
        updated_at: updatedAt ?? null,
      },
    };
  }
  return isHealthy;
}

async function* parkedStreams(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  const parked = await maintenanceOf(app).parkedStreams();
  for (const { projection, stream, revision, reason, parked_at: at } of parked) {
    yield `${projection}: PARKED ${stream} from revision ${revision} on, since ${at}: ${reason}`;
  }
  return parked.length === 0;
}

async function* foreignEvents(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  const foreign = await describeForeignEvents(app.get(Database).pool);
  if (foreign) yield foreign;
  return true;
}

async function* schema(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  const differing = await lastingDifferences(() => maintenanceOf(app).schemaDifferences(), 0);
  for (const sentence of differing) yield `DIFFERS FROM THE RELEASE: ${sentence}`;
  return differing.length === 0;
}

async function* differences(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  const differing = await maintenanceOf(app).differences();
  for (const { projection, table, org, description } of differing) {
    const found = org === undefined ? `: ${description}` : ` of ${toWireId('org', org)} has ${description}`;
    yield `${projection}: DIFFERS FROM THE LOG: ${table}${found}`;
  }
  return differing.length === 0;
}

/** Asks the process that runs the projection to retry its parked streams, which it does within a second. */
export async function* retryProjection(
  app: INestApplicationContext,
  name: string,
): AsyncGenerator<Output, boolean> {
  const count = await maintenanceOf(app).retryParked(name);
  yield count === 0
    ? `${name}: nothing is parked`
    : `${name}: ${count} of its streams tried again by who runs it`;
  return true;
}

export async function* oneByOne(
  works: readonly AsyncGenerator<Output, boolean>[],
): AsyncGenerator<Output, boolean> {
  let isHealthy = true;
  for (const work of works) isHealthy = (yield* work) && isHealthy;
  return isHealthy;
}

/** Rebuilds a projection, beside a running service or while it is stopped. */
export const rebuildProjection = (
  app: INestApplicationContext,
  name: string,
): AsyncGenerator<Output, boolean> => maintenanceOf(app).rebuild(name);
