import { createRequire } from 'node:module';
import type * as Features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type * as FeaturesService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type * as Gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type * as GossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type * as Shared from '@eventstore/db-client/generated/shared_pb.js';
import type * as Status from '@eventstore/db-client/generated/status_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import type * as StreamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';

/**
 * The messages of the client, and the copies of grpc-js and google-protobuf that it resolves: objects of other copies
 * are not instances of its classes.
 */
const own = createRequire(import.meta.url);
const clients = createRequire(own.resolve('@eventstore/db-client'));
const generated = (file: string): unknown => own(`@eventstore/db-client/generated/${file}`);

export const grpc = clients('@grpc/grpc-js') as Grpc;
export const features = generated('serverfeatures_pb.js') as typeof Features;
export const shared = generated('shared_pb.js') as typeof Shared;
export const status = generated('status_pb.js') as typeof Status;
export const streams = generated('streams_pb.js') as typeof Streams;
export const { StreamsService: streamsService } = generated('streams_grpc_pb.js') as typeof StreamsService;
export const gossip = generated('gossip_pb.js') as typeof Gossip;
export const { GossipService: gossipService } = generated('gossip_grpc_pb.js') as typeof GossipService;
export const { ServerFeaturesService: featuresService } = generated(
  'serverfeatures_grpc_pb.js',
) as typeof FeaturesService;

/** The used part of grpc-js, which is a dependency of the client only. */
interface Grpc {
  readonly Server: new (options: Readonly<Record<string, number>>) => GrpcServer;
  readonly ServerCredentials: {
    createInsecure(): object;
    createSsl(root: null, pairs: readonly { private_key: Buffer; cert_chain: Buffer }[]): object;
  };
  readonly Metadata: new () => { set(key: string, value: string): void };
  readonly status: Readonly<Record<'INVALID_ARGUMENT' | 'NOT_FOUND' | 'UNAVAILABLE' | 'UNKNOWN', number>>;
}

export interface GrpcServer {
  addService(service: object, handlers: object): void;
  bindAsync(address: string, credentials: object, done: (error: Error | null, port: number) => void): void;
  forceShutdown(): void;
}

type Handlers = StreamsService.IStreamsServer;
export type CallMetadata = Parameters<Handlers['read']>[0]['metadata'];
export type ReadCall = Parameters<Handlers['read']>[0];
export type AppendHandler = Handlers['append'];
export type BatchAppendHandler = Handlers['batchAppend'];
export type GossipHandler = GossipService.IGossipServer['read'];
export type FeaturesHandler = FeaturesService.IServerFeaturesServer['getSupportedMethods'];

type GoogleEmpty = NonNullable<Parameters<Streams.BatchAppendResp.Success['setNoPosition']>[0]>;
type GoogleAny = NonNullable<Parameters<Status.Status['setDetails']>[0]>;
const { Any } = clients('google-protobuf/google/protobuf/any_pb.js') as { Any: new () => GoogleAny };
const { Empty } = clients('google-protobuf/google/protobuf/empty_pb.js') as { Empty: new () => GoogleEmpty };

export const empty = (): Shared.Empty => new shared.Empty();

/** Google's Empty; the streams service has another one. */
export const googleEmpty = (): GoogleEmpty => new Empty();

/** Packs a typed detail of a google.rpc.Status, as batch appends report errors. */
export function packed(message: { serializeBinary(): Uint8Array }, type: string): GoogleAny {
  const any = new Any();
  any.pack(message.serializeBinary(), type);
  return any;
}

export function uuid(text: string): Shared.UUID {
  const message = new shared.UUID();
  message.setString(text);
  return message;
}

/** Reads an id, which comes as text or as two halves. */
export function readUuid(message: Shared.UUID): string {
  const halves = message.getStructured();
  if (!halves) return message.getString();
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(BigInt(halves.getMostSignificantBits()), 0);
  bytes.writeBigInt64BE(BigInt(halves.getLeastSignificantBits()), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function streamIdentifier(stream: string): Shared.StreamIdentifier {
  const message = new shared.StreamIdentifier();
  message.setStreamName(Uint8Array.from(Buffer.from(stream)));
  return message;
}

export const readStreamName = (identifier: Shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier!.getStreamName_asU8()).toString('utf8');

export type Failure = NonNullable<Parameters<Parameters<AppendHandler>[1]>[0]>;

/** Returns the error of a call. The server names known errors by `exception` and further fields. */
export function failure(
  code: number,
  details: string,
  fields: Readonly<Record<string, string>> = {},
): Failure {
  const metadata = new grpc.Metadata();
  for (const [key, value] of Object.entries(fields)) metadata.set(key, value);
  return Object.assign(new Error(details), { code, details, metadata }) as unknown as Failure;
}
