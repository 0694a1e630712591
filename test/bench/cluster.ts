import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { createPool } from '../../src/platform/database/pg-pool.js';
import { urlOfDatabase } from '../support/database-url.js';

export const CONNECTIONS = 20;

export interface Cluster {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL for the benchmarks, with fsync as in production. */
export async function startCluster(): Promise<Cluster> {
  const folder = join(tmpdir(), `recount-bench-${randomBytes(6).toString('hex')}`);
  const server = await startEmbeddedPostgres(folder);
  return {
    createDatabase: async () => {
      const name = `bench_${randomBytes(6).toString('hex')}`;
      const client = new pg.Client(server.url);
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return urlOfDatabase(name, server.url);
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs some work with a pool like that of the service. */
export async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createPool(url, () => {}, CONNECTIONS);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
