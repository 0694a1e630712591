import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelCredentialOptions, EventStoreDBClient } from '@eventstore/db-client';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import generated from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { ConnectionStringError, parseConnectionString } from './connection-string.js';

/** gRPC call of all appends of a client. */
export type BatchAppendStream = ReturnType<StreamsClient['batchAppend']>;

/** gRPC call of one read. */
export type ReadStream = ReturnType<StreamsClient['read']>;

/** Client of EventStoreDB, which finds its node, with the calls that the driver makes itself. */
export class NodeClient extends EventStoreDBClient {
  /** Opens a call of batch appends, without a deadline. */
  batchAppend(): Promise<BatchAppendStream> {
    return this.GRPCStreamCreator(generated.StreamsClient, 'batchAppend', (client) =>
      client.batchAppend(...this.callArguments({}, { deadline: Infinity })),
    )();
  }

  /** Opens a read, without a deadline, as the reader may be slow. */
  read(request: ReadReq, requiresLeader: boolean): Promise<ReadStream> {
    return this.GRPCStreamCreator(generated.StreamsClient, 'read', (client) =>
      client.read(request, ...this.callArguments({ requiresLeader }, { deadline: Infinity })),
    )();
  }
}

/**
 * Creates a client from a connection string. It does not use `EventStoreDBClient.connectionString`, which prints unknown
 * options together with the password, and asks only the first of several hosts for the members of a cluster.
 * @throws ConnectionStringError
 */
export function connectClient(connectionString: string): NodeClient {
  const { hosts, dnsDiscover, defaultCredentials, ...options } = parseConnectionString(connectionString);
  const { tls, tlsCAFile, userCertFile, userKeyFile, ...settings } = options;
  const credentials: ChannelCredentialOptions = {
    insecure: tls === false,
    ...(tls !== false && tlsCAFile ? { rootCertificate: fileOf('tlsCAFile', tlsCAFile) } : {}),
    ...(userCertFile ? { userCertFile: fileOf('userCertFile', userCertFile) } : {}),
    ...(userKeyFile ? { userKeyFile: fileOf('userKeyFile', userKeyFile) } : {}),
  };
  const [first, ...others] = hosts;
  if (others.length > 0)
    return new NodeClient({ ...settings, endpoints: hosts }, credentials, defaultCredentials);
  if (dnsDiscover) return new NodeClient({ ...settings, discover: first! }, credentials, defaultCredentials);
  return new NodeClient({ ...settings, endpoint: first! }, credentials, defaultCredentials);
}

function fileOf(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConnectionStringError(`the file of ${option} cannot be read: ${code}`);
  }
}

const DISPOSED_WITHIN_MS = 500;

/** Disposes a client. It waits for its streams to end only for a short time, as an unread stream may never end. */
export async function dispose(client: EventStoreDBClient): Promise<void> {
  const timer = new AbortController();
  const { signal } = timer;
  const ended = client.dispose().catch(() => undefined);
  await Promise.race([ended, sleep(DISPOSED_WITHIN_MS, undefined, { signal }).catch(() => undefined)]);
  timer.abort();
}
