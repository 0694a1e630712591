import type { Pool } from 'pg';
import type { Upcasters } from '../kernel/event.js';
import { storeAsOf, withMoments } from './as-of/moment.js';
import { type ServiceClock, SystemClock, ManualClock } from './clock/clock.js';
import type { Config } from './config/config.js';
import { requireMigrations, runMigrations, type Migration } from './database/migrations.js';
import { examineServer } from './database/examine-server.js';
import { openDatabase, type Database } from './database/open-database.js';
import type { EventStore } from './eventsourcing/store/event-store.js';
import { ForeignEvents } from './eventsourcing/store/foreign-events.js';
import { meterAppends } from './eventsourcing/store/meter-appends.js';
import { withUpcasters } from './eventsourcing/store/upcasting-event-store.js';
import { PostgresEventStore } from './eventsourcing/store/postgres/postgres-event-store.js';
import { loadMasterKey } from './privacy/master-key.js';
import { type SubjectKeys, Vault } from './privacy/vault.js';
import type { Logger } from './telemetry/logger.js';
import { NO_METER, type Meter } from './telemetry/meter.js';

/** The stores, clock and vault of a process. */
export interface Platform {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: Database;
  readonly store: EventStore;
  /** The log as it is stored: former shapes are not lifted. */
  readonly storedEvents: EventStore;
  readonly meter: Meter;
  readonly clock: ServiceClock;
  readonly vault: Vault;
  /** Steps of the schema of this release. */
  readonly migrations: readonly Migration[];
  /** Closes the store, the connections, and the embedded server if this process started it. Call it last. */
  close(): Promise<void>;
}

interface PlatformOptions {
  readonly migrations: readonly Migration[];
  readonly upcasters: Upcasters;
  /** Stores the keys that personal data is sealed with. */
  readonly subjectKeys: (pool: Pool) => SubjectKeys;
  readonly meter?: Meter | undefined;
  /** True for a tool that reads the data of a service: it creates no schema, and uses the service's clock. */
  readonly isTool?: boolean;
  /** True if a tool may apply migrations, which end the use of older builds; a service always does. */
  readonly mayUpgrade?: boolean;
}

/** Opens the stores and brings the schema up to date. @throws Error with a sentence for whoever starts the service */
export async function openPlatform(
  config: Config,
  logger: Logger,
  {
    migrations,
    upcasters,
    subjectKeys,
    meter = NO_METER,
    isTool = false,
    mayUpgrade = !isTool,
  }: PlatformOptions,
): Promise<Platform> {
  const masterKey = loadMasterKey(config);
  // A process without a role is a tool, which may read the whole log in one statement.
  const database = await openDatabase(config, logger, config.roles.size > 0 ? 'limited' : 'unlimited');
  let opened: EventStore | undefined;
  try {
    if (isTool) await requireSchema(database);
    else await examineServer(database.pool, logger);
    if (mayUpgrade) await database.withoutLimit((pool) => runMigrations(pool, migrations));
    else await requireMigrations(database.pool, migrations);
    const stored = await openEventStore(config, database, logger);
    const storedEvents = withMoments(stored, ({ at }) => storeAsOf(stored, at));
    opened = withUpcasters(stored, upcasters);
    const store = withMoments(meter === NO_METER ? opened : meterAppends(opened, meter));
    return {
      config,
      logger,
      database,
      store,
      storedEvents,
      meter,
      clock:
        config.clock === 'manual' || (isTool && (await hasManualClock(database)))
          ? new ManualClock(database.pool, config.clockStart)
          : new SystemClock(),
      vault: new Vault(masterKey, subjectKeys(database.pool)),
      migrations,
      close: async () => {
        await store.close();
        await database.close();
      },
    };
  } catch (error) {
    await opened?.close();
    await database.close();
    throw error;
  }
}

/** @throws Error with a sentence for whoever started the tool */
async function requireSchema({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ is_there: boolean }>(
    `select coalesce(to_regclass('schema_migrations'), to_regclass('events')) is not null as is_there`,
  );
  if (rows[0]!.is_there) return;
  throw new Error(
    'There is no data in this database: no service has run with it. Set DATABASE_URL or DATA_DIR as the service has them.',
  );
}

/** Returns whether the database has a manual clock. */
async function hasManualClock({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ is_there: boolean }>(
    'select exists (select from manual_clock) as is_there',
  );
  return rows[0]!.is_there;
}

/** Loads the EventStoreDB client, and gRPC with it, only where it is used: it takes a good part of the start. */
async function openEventStore(
  { eventStoreUrl }: Config,
  { pool }: Database,
  logger: Logger,
): Promise<EventStore> {
  if (!eventStoreUrl) return new PostgresEventStore(pool);
  const driver = await import('./eventsourcing/store/eventstoredb/eventstoredb-event-store.js');
  const foreign = new ForeignEvents(pool, logger);
  return new driver.EventStoreDbEventStore(eventStoreUrl, undefined, (event) => foreign.note(event));
}
