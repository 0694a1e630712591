import type pg from 'pg';
import { BEFORE_ALL, comparePositions } from '../../src/kernel/event.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { type Build, findLiveBuilds, reasonNotToResume, storeEnds } from './checkpoint.js';
import type { Projection } from './projection.js';
import { alteredTables, alteredViews, buildTableOf } from './read-model-tables.js';

/** A read model whose rows cannot be compared with the log, or that readers see through another view. */
export interface BuildFault {
  readonly projection: string;
  /** Number of the build. */
  readonly version: number;
  readonly table: string;
  readonly reason: string;
}

export interface ExaminedBuilds {
  /** Live builds whose rows can be compared with the log. */
  readonly comparable: readonly Build[];
  readonly faults: readonly BuildFault[];
  /** Live builds that another version of the code has filled, as during the rollout of a release. */
  readonly foreign: readonly BuildFault[];
}

/**
 * Examines checkpoint, tables and views of each live build. Every build is comparable, has a fault or is foreign: none is
 * left out without being named.
 */
export async function examineBuilds(
  db: Pick<pg.Pool, 'query'>,
  store: EventStore,
  projections: readonly Projection[],
): Promise<ExaminedBuilds> {
  const live = await findLiveBuilds(db, projections);
  const own = live.filter((build, index) => build?.definition === projections[index]!.version) as Build[];
  const models = own.map(({ projection }) => projection);
  const [tables, views] = [await alteredTables(db, models), await alteredViews(db, models)];
  // Read after the checkpoints: the log of a running service is never behind them.
  const ends = await storeEnds(store);
  const comparable: Build[] = [];
  const faults: BuildFault[] = [];
  const foreign: BuildFault[] = [];
  for (const [index, build] of live.entries()) {
    const { name, version, tables: defined } = projections[index]!;
    const names = Object.keys(defined);
    const number = build?.projection.version ?? 0;
    const faultsOf = (some: readonly string[], reason: (table: string) => string): BuildFault[] =>
      some.map((table) => ({ projection: name, version: number, table, reason: reason(table) }));
    if (!build) {
      faults.push(...faultsOf(names, () => 'none of its builds is live'));
      continue;
    }
    if (build.definition !== version) {
      const versions = `it is of version ${build.definition} of the projection, and this program has version ${version}`;
      foreign.push(...faultsOf(names, () => `${versions}: it cannot be compared`));
      continue;
    }
    const target = (table: string): string => buildTableOf(table, number);
    const hasBegun = comparePositions(build.checkpoint.position, BEFORE_ALL) > 0;
    // Before the first start after a restore there are neither tables nor events in them.
    if (!hasBegun && names.every((table) => tables.get(target(table)) === 'missing')) continue;
    faults.push(
      ...faultsOf(
        names.filter((table) => views.has(table)),
        (table) => `its view does not show the table ${target(table)} as it is`,
      ),
    );
    const altered = names.filter((table) => tables.has(target(table)));
    const refusal = reasonNotToResume(name, build.checkpoint, ends);
    if (refusal) faults.push(...faultsOf(names, () => refusal));
    else if (altered.length === 0) comparable.push(build);
    else
      faults.push(
        ...faultsOf(altered, (table) =>
          tables.get(target(table)) === 'missing'
            ? `its table ${target(table)} is missing`
            : `its table ${target(table)} has other columns than its definition`,
        ),
      );
  }
  return { comparable, faults, foreign };
}
