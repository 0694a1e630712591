import { EventStoreDBClient } from '@eventstore/db-client';

/**
 * A client that throws on conflicts, whatever the connection string says: the other mode reports a wrong revision.
 * Credentials belong into the connection string, never to a call, where they switch off the batch append.
 */
export function connectClient(connectionString: string): EventStoreDBClient {
  const separator = connectionString.includes('?') ? '&' : '?';
  return EventStoreDBClient.connectionString(`${connectionString}${separator}throwOnAppendFailure=true`);
}
