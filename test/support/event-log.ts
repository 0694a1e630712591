import type { EsdbDouble } from './esdb-double/server.js';

declare global {
  /**
   * Set by jest projects that run the API specs on EventStoreDB: on the double (`long`), or on the node that
   * EVENTSTORE_URL names (`eventstore`).
   */
  var eventLog: 'eventstoredb' | 'node' | undefined;
}

/** Doubles by database, so that a restarted service finds its log. */
const doubles = new Map<string, EsdbDouble>();

/** Returns the URL of the event store for a database; undefined when the log is in the database. */
export async function eventLogFor(databaseUrl: string): Promise<string | undefined> {
  if (globalThis.eventLog === 'node') return nodeUrl();
  if (globalThis.eventLog !== 'eventstoredb') return undefined;
  const double = doubles.get(databaseUrl) ?? (await startDouble());
  doubles.set(databaseUrl, double);
  return double.connectionString;
}

/** Loads the double, and gRPC with it, only where it is used: few projects do. */
async function startDouble(): Promise<EsdbDouble> {
  const { EsdbDouble } = await import('./esdb-double/server.js');
  return new EsdbDouble().start();
}

export function dropEventLog(databaseUrl: string): void {
  doubles.get(databaseUrl)?.stop();
  doubles.delete(databaseUrl);
}

/** @throws Error when there is no node to test */
export function nodeUrl(): string {
  const url = process.env['EVENTSTORE_URL'];
  if (url) return url;
  throw new Error('EVENTSTORE_URL names the node to test: EVENTSTORE_URL=esdb://… npm run test:eventstore');
}
