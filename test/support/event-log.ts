import { EsdbDouble } from './esdb-double/server.js';

declare global {
  /** The same API tests, with the log behind the EventStoreDB client: in the jest project `long` on the wire double, in
   * `eventstore` on the node that EVENTSTORE_URL names. */
  var eventLog: 'eventstoredb' | 'node' | undefined;
}

/** By database: a service that is started again finds its log again. */
const doubles = new Map<string, EsdbDouble>();

/** Where the log of a service on this database is; undefined: in the database. */
export async function eventLogFor(databaseUrl: string): Promise<string | undefined> {
  if (globalThis.eventLog === 'node') return nodeUrl();
  if (globalThis.eventLog !== 'eventstoredb') return undefined;
  const double = doubles.get(databaseUrl) ?? (await new EsdbDouble().start());
  doubles.set(databaseUrl, double);
  return double.connectionString;
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
