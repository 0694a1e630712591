import type { Pool } from 'pg';
import request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { ProjectionProgress } from '../../projections/runtime/progress.js';
import { PdfLinks } from '../../src/billing/invoices/http/pdf-links.js';
import { FIRST_ORGANIZATION } from '../../src/organization/first-organization.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { Database } from '../../src/platform/database/open-database.js';
import { Consistency } from '../../src/platform/http/consistency/consistency.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startService, type Service } from '../../src/service.js';
import { watchAnswers } from './api-contract/watch-answers.js';
import { dropEventLog, eventLogFor } from './event-log.js';
import { createTestDatabase } from './postgres.js';
import { beginAtHead, tenantOf } from './shared-node.js';
import { PATIENCE_MS } from './until.js';

export interface TestApp {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** An admin key of the organization. */
  readonly key: string;
  /** The name of that key. */
  readonly keyName: string;
  readonly org: Uuid;
  readonly databaseUrl: string;
  /** The service's own connections, for reads that HTTP does not offer. */
  readonly pool: Pool;
  /** Gives access to providers: `service.app.get(…)`. */
  readonly service: Service;
  /** supertest bound to the service, with the key in its header. */
  readonly request: TestAgent;
  /** Deviations of answers from the API document; `stop` fails when there are any. */
  readonly faults: string[];
  /** Moves the manual clock: POST /api/test_clock/advance/. */
  advance(to: string): Promise<void>;
  /** Stops the service and drops its database, unless `databaseUrl` named one. */
  stop(): Promise<void>;
}

export interface TestAppOptions {
  /** Start of the manual clock. */
  readonly clockStart?: string;
  /** A migrated database that the caller creates and drops, for a restart. Default: a new one. */
  readonly databaseUrl?: string;
  /** Default: the Postgres event store, or the EventStoreDB double in the jest project `long`. */
  readonly eventStoreUrl?: string;
  /** Receives the lines of the service's log. Default: stdout. */
  readonly log?: { write(line: string): void };
  /** True: reads wait as long as in production. Default: up to PATIENCE_MS. */
  readonly limitsWaits?: boolean;
  /** Further environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
}

const KEY = 'test-key-of-the-first-organization';
export const BOOTSTRAP_KEY = 'bootstrap-key-of-the-service-in-tests';

/** Starts the service with all roles in this process, on a test database and a manual clock. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const own = options.databaseUrl ? undefined : await createTestDatabase('recount_with_read_models');
  const databaseUrl = options.databaseUrl ?? own!.url;
  const eventStoreUrl = options.eventStoreUrl ?? (await eventLogFor(databaseUrl));
  const isShared = globalThis.eventLog === 'node' && eventStoreUrl !== undefined;
  if (isShared) await beginAtHead(databaseUrl, eventStoreUrl);
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    MASTER_KEY: '0'.repeat(64),
    API_KEY: KEY,
    BOOTSTRAP_KEY,
    CLOCK: 'manual',
    CLOCK_START: options.clockStart ?? '2026-01-01T00:00:00Z',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...(eventStoreUrl ? { EVENTSTORE_URL: eventStoreUrl } : {}),
    ...options.env,
  });
  const service = await startService(config, createLogger(config.logLevel, options.log)).catch(
    async (error: unknown) => {
      await own?.drop();
      throw error;
    },
  );
  // Opening a connection is most of what a short spec costs PostgreSQL.
  const { pool, reserved } = service.app.get(Database);
  pool.options.max = 8;
  reserved.keys.options.max = 1;
  const faults = watchAnswers(service);
  cacheLinks(service);
  const endPatience = options.limitsWaits ? undefined : extendWaits(service);
  // Without the role `api` the service has no URL.
  const url = service.url ?? '';
  const first = { org: FIRST_ORGANIZATION, key: config.apiKey!, keyName: 'First key' };
  const { org, key, keyName } = isShared ? await tenantOf(databaseUrl, service) : first;
  const agent = request.agent(url).set('X-API-KEY', key);
  return {
    url,
    key,
    keyName,
    org,
    databaseUrl,
    pool,
    service,
    request: agent,
    faults,
    advance: async (to) => {
      await agent.post('/api/test_clock/advance/').send({ to }).expect(200);
    },
    stop: async () => {
      endPatience?.();
      await service.stop();
      if (own) {
        dropEventLog(databaseUrl);
        await own.drop();
      }
      if (faults.length > 0)
        throw new Error(`Answers that the API document does not allow:\n${faults.join('\n')}`);
    },
  };
}

/** Lets reads wait up to PATIENCE_MS for read models and the end of the log: specs check content, not latency. @returns ends the waiting */
function extendWaits({ app }: Service): () => void {
  const readModels = app.get(ProjectionProgress, { strict: false });
  const waitFor = readModels.waitFor.bind(readModels);
  app.get(Consistency, { strict: false }).lastEventTimeoutMs = PATIENCE_MS;
  let isOver = false;
  readModels.waitFor = async (position, timeoutMs) => {
    for (const end = performance.now() + PATIENCE_MS; ;) {
      if (await waitFor(position, timeoutMs)) return true;
      if (isOver || performance.now() > end) return false;
    }
  };
  return () => (isOver = true);
}

/**
 * Returns the same PDF link for the same document, so that answers can be compared: a link contains its hour of
 * creation.
 */
function cacheLinks({ app }: Service): void {
  const links = app.get(PdfLinks, { strict: false });
  const make = links.make.bind(links);
  const made = new Map<string, string>();
  links.make = (...of) => {
    const link = made.get(of.join()) ?? make(...of);
    made.set(of.join(), link);
    return link;
  };
}
