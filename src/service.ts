import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ANALYTICS_VIEWS } from '../projections/analytics/views.js';
import { createDerivedViews } from '../projections/runtime/derived-views.js';
import { createReadModels } from '../projections/runtime/read-model-tables.js';
import { rebuildOutdated } from '../projections/runtime/rebuild.js';
import { PROJECTIONS } from '../projections/registry.js';
import { AppModule } from './app.module.js';
import { awaitStores } from './await-stores.js';
import { customerKeys } from './customer/customer-directory.js';
import { MIGRATIONS } from './migrations.js';
import { UPCASTERS } from './upcasters.js';
import type { Management } from './operation/management.js';
import { AlertImport } from './alerts/alert-changes.js';
import { FirstOrganization } from './organization/first-organization.js';
import { EndpointImport } from './webhooks/endpoint-records.js';
import { BackgroundWork } from './platform/concurrency/background-work.js';
import type { Config } from './platform/config/config.js';
import { configureHttp } from './platform/http/server/configure-http.js';
import { openPlatform, type Platform } from './platform/platform.js';
import { NestLog, type Logger } from './platform/telemetry/logger.js';

export interface Service {
  readonly app: NestExpressApplication;
  /** URL of the API; undefined without the role `api`. */
  readonly url: string | undefined;
  /** URL of liveness, readiness and metrics; undefined without MANAGEMENT_PORT. */
  readonly managementUrl: string | undefined;
  /** Resolves with a sentence when the process has lost its database for good and has to end. */
  readonly lost: Promise<Error>;
  /** Refuses new requests, finishes those under way, stops the background work, then closes the stores. */
  stop(): Promise<void>;
}

/**
 * One process of the service, in the roles of its configuration. It waits for unavailable stores.
 * @throws StartStopped when the signal aborts while it waits
 */
export async function startService(
  config: Config,
  logger: Logger,
  signal: AbortSignal = new AbortController().signal,
): Promise<Service> {
  // 1. The stores, with the schema and read models this build needs.
  const management = await loadManagement(config);
  const stores = {
    open: () => openStores(config, logger, management),
    discard: (opened: Platform) => opened.close(),
  };
  const platform = await awaitStores(config, logger, stores, signal);
  let app: NestExpressApplication | undefined;
  try {
    // 2. The modules; their bootstrap starts the projections.
    app = await NestFactory.create<NestExpressApplication>(AppModule.of(platform), {
      bodyParser: false,
      abortOnError: false,
      logger: new NestLog(logger),
    });
    management?.measure(app);
    configureHttp(app, config, logger);
    await app.init();
    await app.get(FirstOrganization).open();
    await app.get(AlertImport).run();
    await app.get(EndpointImport).run();

    // 3. Accept requests, after everything else is ready.
    const server: Server = app.getHttpServer();
    if (config.roles.has('api')) await app.listen(config.port, config.host);
    await management?.open(app, config.managementPort!, config.host);

    // 4. Start background work last: a process without its ports must not have billed or sent anything.
    app.get(BackgroundWork).start();
    const stopApp = stopping(app, server);
    return {
      app,
      url: config.roles.has('api') ? urlOf(server.address() as AddressInfo) : undefined,
      managementUrl: management?.address && urlOf(management.address),
      lost: platform.database.lost,
      stop: async () => {
        await stopApp();
        management?.close();
        await platform.close();
      },
    };
  } catch (error) {
    management?.close();
    await app?.close();
    await platform.close();
    throw error;
  }
}

async function openStores(
  config: Config,
  logger: Logger,
  management: Management | undefined,
): Promise<Platform> {
  const options = {
    migrations: MIGRATIONS,
    upcasters: UPCASTERS,
    subjectKeys: customerKeys,
    meter: management?.meter,
  };
  const platform = await openPlatform(config, logger, options);
  try {
    const { store, database } = platform;
    await store.head();
    await database.withoutLimit(async (pool) => {
      await createReadModels(pool, PROJECTIONS);
      await rebuildOutdated({ store, pool }, PROJECTIONS, logger);
      await createDerivedViews(pool, ANALYTICS_VIEWS);
    });
    return platform;
  } catch (error) {
    await platform.close();
    throw error;
  }
}

/** `close` waits for every connection; idle keep-alive connections are closed at once. */
function stopping(app: NestExpressApplication, server: Server): () => Promise<void> {
  return async () => {
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    try {
      await app.close();
    } finally {
      clearInterval(sweep);
    }
  };
}

async function loadManagement({ managementPort }: Config): Promise<Management | undefined> {
  if (managementPort === undefined) return undefined;
  const module = await import('./operation/management.js');
  return new module.Management();
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
