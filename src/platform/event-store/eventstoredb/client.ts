import { setTimeout as sleep } from 'node:timers/promises';
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

const DISPOSED_WITHIN_MS = 500;

/** The client waits until each of its streams has ended, and one that nobody reads any more may never say so. */
export async function dispose(client: EventStoreDBClient): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const ended = client.dispose().catch(() => undefined);
  await Promise.race([ended, sleep(DISPOSED_WITHIN_MS, undefined, { signal }).catch(() => undefined)]);
  over.abort();
}
