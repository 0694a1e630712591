import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool } from 'pg';
import { readConfig } from '../../../src/platform/config/read-config.js';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { startService } from '../../../src/service.js';
import { newTenant } from '../../support/another-tenant.js';
import { freePort } from '../../support/listen.js';
import { createTestDatabase } from '../../support/postgres.js';
import { startServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

/** Access to an organization: the service's URL and an admin key. */
export interface Tenant {
  readonly url: string;
  readonly org: string;
  readonly key: string;
}

/** The organization whose latency is measured. */
interface Neighbour extends Tenant {
  /** URL of the service's Prometheus metrics. */
  readonly metricsUrl: string;
  /** Returns the longest event loop turn since the last call, in milliseconds of processor time; NaN when unknown. */
  longestTurn(): Promise<number>;
}

/** A service in a separate process with two organizations: an attacker and its neighbour. */
export interface Stage {
  readonly attacker: Tenant;
  readonly neighbour: Neighbour;
  readonly pool: Pool;
  stop(): Promise<void>;
}

const MASTER_KEY = '0'.repeat(64);

/** Starts the service. @param settings further environment variables; by default it runs with its default settings */
export async function startStage(settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const database = await createTestDatabase('recount_with_read_models');
  const stores = { DATABASE_URL: database.url, MASTER_KEY };
  const [attacker, neighbour] = await makeTenants(stores);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'recount-fairness-'));
  const managementPort = await freePort();
  const env = {
    ...stores,
    CLOCK: 'system',
    CLOCK_START: '',
    MANAGEMENT_PORT: String(managementPort),
    LONGEST_TURN: path.join(dataDir, 'longest-turn'),
    NODE_OPTIONS: `--import ${PRELOADED}`,
    ...settings,
  };
  const service = await startServiceProcess(dataDir, '', env);
  const url = service.client.baseUrl;
  const longestTurn = () => (isLinux ? askForTurn(service.pid, env.LONGEST_TURN) : Promise.resolve(NaN));
  return {
    attacker: { url, ...attacker! },
    neighbour: {
      url,
      metricsUrl: `http://127.0.0.1:${managementPort}/metrics`,
      longestTurn,
      ...neighbour!,
    },
    pool: database.pool,
    stop: async () => {
      await service.end('SIGTERM');
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

const isLinux = process.platform === 'linux';
const PRELOADED = pathToFileURL(path.join(import.meta.dirname, 'longest-turn.mjs')).href;

async function askForTurn(pid: number, file: string): Promise<number> {
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  return Number(await until(() => readFile(file, 'utf8').catch(() => undefined)));
}

async function makeTenants(stores: Readonly<Record<string, string>>) {
  const config = readConfig({
    ...stores,
    PORT: '0',
    ROLES: 'api',
    LOG_LEVEL: 'silent',
    API_KEY: 'k'.repeat(40),
  });
  const service = await startService(config, createLogger(config.logLevel));
  try {
    return [await newTenant(service), await newTenant(service)];
  } finally {
    await service.stop();
  }
}
