import { type EndPoint, EventStoreDBClient } from '@eventstore/db-client';

/**
 * A client that throws on conflicts, whatever the connection string says: the other mode reports a wrong revision.
 * Credentials belong into the connection string, never to a call, where they switch off the batch append.
 */
export function connectClient(connectionString: string): EventStoreDBClient {
  const separator = connectionString.includes('?') ? '&' : '?';
  return EventStoreDBClient.connectionString(`${connectionString}${separator}throwOnAppendFailure=true`);
}

/**
 * The same connection, to one node: a follower that refuses an append names the leader. The client's own way there
 * ends with the client, which is disposed of after a failure.
 */
export const toNode = (connectionString: string, { address, port }: EndPoint): string =>
  connectionString.replace(
    /^esdb(?:\+discover)?:\/\/([^@/?]*@)?[^/?]+/,
    (_, credentials: string | undefined) => `esdb://${credentials ?? ''}${address}:${port}`,
  );
