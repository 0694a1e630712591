import { Global, Module, type DynamicModule } from '@nestjs/common';
import { BackgroundWork } from './concurrency/background-work.js';
import { Claims } from './eventsourcing/claims/claims.js';
import { CLOCK } from './clock/clock.js';
import { CommandRunner } from './eventsourcing/command-runner/command-runner.js';
import { LastEvents } from './eventsourcing/last-events.js';
import { ReadModelCatchUp } from './eventsourcing/read-model-catch-up.js';
import { StreamRestrictions } from './eventsourcing/stream-restrictions.js';
import { PastMoments } from './as-of/past-moments.js';
import { PolicyWorkerService } from './eventsourcing/policies/policy-worker.service.js';
import { Policies } from './eventsourcing/policies/policies.js';
import { CONFIG } from './config/config.js';
import { RELEASED_MIGRATIONS } from './database/migrations.js';
import { Database } from './database/open-database.js';
import { EVENT_STORE, STORED_EVENTS } from './eventsourcing/store/event-store.js';
import type { Platform } from './platform.js';
import { BodyRules } from './http/body/body-limiter.js';
import { API_INFO, type ApiInfo } from './http/openapi/api-info.js';
import { RateLimits } from './http/rate-limits/rate-limits.js';
import { EtagLocators } from './http/etag/etags.js';
import { OpaquePositions, Vault } from './privacy/vault.js';
import { Warnings } from './telemetry/warnings.js';
import { LOGGER } from './telemetry/logger.js';
import { METER } from './telemetry/meter.js';

/** Provides the platform to every module. It is opened before Nest starts and closed after Nest stops (`src/service.ts`). */
@Global()
@Module({})
export class PlatformModule {
  static of(
    { config, logger, database, store, storedEvents, meter, clock, vault, migrations }: Platform,
    api: ApiInfo,
  ): DynamicModule {
    const policies = new Policies();
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: Database, useValue: database },
      { provide: EVENT_STORE, useValue: store },
      { provide: STORED_EVENTS, useValue: storedEvents },
      { provide: METER, useValue: meter },
      { provide: CLOCK, useValue: clock },
      { provide: Vault, useValue: vault },
      { provide: RELEASED_MIGRATIONS, useValue: migrations },
      { provide: Warnings, useValue: new Warnings() },
      { provide: BackgroundWork, useValue: new BackgroundWork(config.roles) },
      { provide: OpaquePositions, useValue: new OpaquePositions(vault) },
      { provide: Policies, useValue: policies },
      { provide: API_INFO, useValue: api },
      { provide: BodyRules, useValue: new BodyRules() },
      { provide: EtagLocators, useValue: new EtagLocators() },
      { provide: CommandRunner, useValue: new CommandRunner(store, clock, policies, logger) },
      { provide: Claims, useValue: new Claims(database.pool, store, !config.eventStoreUrl) },
    ];
    const offered = [
      ...providers,
      LastEvents,
      PastMoments,
      PolicyWorkerService,
      RateLimits,
      ReadModelCatchUp,
      StreamRestrictions,
    ];
    return { module: PlatformModule, providers: offered, exports: offered };
  }
}
