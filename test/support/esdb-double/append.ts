import type { AppendReq, AppendResp, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Chaos } from './chaos.js';
import { AppendTooBig, type Expected, type Log, type Proposed, WrongExpectedVersion } from './log.js';
import {
  type AppendHandler,
  type CallMetadata,
  empty,
  failure,
  grpc,
  readStreamName,
  readUuid,
  streams,
} from './wire.js';

/** Handles single appends, which the client uses when a call has credentials. */
export function append(log: Log, chaos: Chaos): AppendHandler {
  return (call, answer) => {
    let options: AppendReq.Options | undefined;
    const events: Proposed[] = [];
    call.on('data', (message: AppendReq) => {
      if (message.hasOptions()) options = message.getOptions();
      else events.push(proposed(message.getProposedMessage()!));
    });
    call.on('end', () => {
      const stream = readStreamName(options!.getStreamIdentifier());
      const leader = refusedFor(chaos, call.metadata);
      if (leader) return answer(notLeader(leader));
      if (chaos.takes('failNextAppends')) return answer(unavailable());
      try {
        const last = log.append(stream, expectedOf(options!, options!.getRevision()), events);
        const success = new streams.AppendResp.Success();
        success.setCurrentRevision(last.revision.toString());
        const position = new streams.AppendResp.Position();
        position.setCommitPosition(last.position.toString());
        position.setPreparePosition(last.position.toString());
        success.setPosition(position);
        answer(null, new streams.AppendResp().setSuccess(success));
      } catch (error) {
        if (error instanceof WrongExpectedVersion) answer(null, conflict(error));
        else if (error instanceof AppendTooBig) answer(tooBig(error));
        else throw error;
      }
    });
  };
}

/** Returns the response to a conflict, which is no gRPC error in this call. */
function conflict({ current, expected }: WrongExpectedVersion): AppendResp {
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (current === -1n) message.setCurrentNoStream(empty());
  else message.setCurrentRevision(current.toString());
  if (typeof expected === 'bigint') message.setExpectedRevision(expected.toString());
  else if (expected === 'no_stream') message.setExpectedNoStream(empty());
  else message.setExpectedStreamExists(empty());
  return new streams.AppendResp().setWrongExpectedVersion(message);
}

const tooBig = (error: AppendTooBig) =>
  failure(grpc.status.INVALID_ARGUMENT, 'Maximum Append Size exceeded', {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(error.limit),
  });

export const unavailable = () => failure(grpc.status.UNAVAILABLE, 'Server Is Too Busy');

/**
 * Returns the leader that a follower refers to; undefined when it serves the call. Followers forward appends unless
 * the call requires a leader.
 */
export function refusedFor(chaos: Chaos, metadata: CallMetadata, isRead = false): Chaos['leader'] {
  const requiresLeader = metadata.get('requires-leader').includes('true');
  return requiresLeader || !(isRead || chaos.forwardsAppends) ? chaos.leader : undefined;
}

export const notLeader = ({ host, port }: NonNullable<Chaos['leader']>) =>
  failure(grpc.status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

interface ExpectationOptions {
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
  hasAny(): boolean;
}

export function expectedOf(options: ExpectationOptions, revision: string): Expected {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return options.hasAny() ? 'any' : BigInt(revision);
}

export function proposed(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): Proposed {
  const metadata = message.getMetadataMap();
  return {
    id: readUuid(message.getId()!),
    type: metadata.get('type')!,
    contentType: metadata.get('content-type')!,
    data: Buffer.from(message.getData_asU8()),
    metadata: Buffer.from(message.getCustomMetadata_asU8()),
  };
}
