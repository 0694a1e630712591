import type { Clock } from './clock/clock.js';
import type { Config } from './config/config.js';
import type { Database } from './database/open-database.js';
import type { EventStore } from './event-store/event-store.js';
import type { Logger } from './telemetry/logger.js';

/** What a process stands on. */
export interface Platform {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: Database;
  readonly store: EventStore;
  readonly clock: Clock;
}
