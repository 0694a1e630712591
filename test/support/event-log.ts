import { EsdbDouble } from './esdb-double/server.js';

declare global {
  /** Set by the jest project `long`: the same API tests, with the log behind the EventStoreDB client. */
  var eventLog: 'eventstoredb' | undefined;
}

/** By database: a service that is started again finds its log again. */
const doubles = new Map<string, EsdbDouble>();

/** Where the log of a service on this database is; undefined: in the database. */
export async function eventLogFor(databaseUrl: string): Promise<string | undefined> {
  if (globalThis.eventLog !== 'eventstoredb') return undefined;
  const double = doubles.get(databaseUrl) ?? (await new EsdbDouble().start());
  doubles.set(databaseUrl, double);
  return double.connectionString;
}

export function dropEventLog(databaseUrl: string): void {
  doubles.get(databaseUrl)?.stop();
  doubles.delete(databaseUrl);
}
