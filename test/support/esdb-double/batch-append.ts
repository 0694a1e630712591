import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { expectedOf, notLeader, proposed, unavailable } from './append.js';
import type { Chaos } from './chaos.js';
import { AppendTooBig, type Log, type Proposed, type Recorded, WrongExpectedVersion } from './log.js';
import {
  type BatchAppendHandler,
  googleEmpty,
  packed,
  readStreamName,
  readUuid,
  shared,
  status,
  streams,
} from './wire.js';

/** gRPC's FAILED_PRECONDITION, as a google.rpc.Status says it. */
const FAILED_PRECONDITION = 9;

interface Batch {
  readonly options: BatchAppendReq.Options;
  readonly events: Proposed[];
}

/** The client's usual way: all its appends share one call, and answers find their request by correlation id. */
export function batchAppend(log: Log, chaos: Chaos): BatchAppendHandler {
  return (call) => {
    const batches = new Map<string, Batch>();
    call.on('error', () => {});
    call.on('end', () => call.end());
    call.on('data', (message: BatchAppendReq) => {
      const id = readUuid(message.getCorrelationId()!);
      if (message.hasOptions()) batches.set(id, { options: message.getOptions()!, events: [] });
      const batch = batches.get(id)!;
      for (const event of message.getProposedMessagesList()) batch.events.push(proposed(event));
      if (!message.getIsFinal()) return;
      batches.delete(id);
      void settle(batch, message).catch((error: unknown) => call.emit('error', error));
    });

    async function settle({ options, events }: Batch, last: BatchAppendReq): Promise<void> {
      if (chaos.appendDelay > 0) await sleep(chaos.appendDelay);
      if (chaos.leader) throw notLeader(chaos.leader);
      if (chaos.takes('failNextAppends')) throw unavailable();
      const answer = new streams.BatchAppendResp();
      answer.setCorrelationId(last.getCorrelationId());
      answer.setStreamIdentifier(options.getStreamIdentifier());
      const stored = log.all.length;
      try {
        const stream = readStreamName(options.getStreamIdentifier());
        const recorded = log.append(stream, expectedOf(options, options.getStreamPosition()), events);
        answer.setSuccess(success(recorded, chaos.repeatsWithoutPosition && log.all.length === stored));
      } catch (error) {
        if (!(error instanceof WrongExpectedVersion || error instanceof AppendTooBig)) throw error;
        answer.setError(refusal(error));
      }
      if (chaos.takes('loseNextAnswers')) throw unavailable();
      if (chaos.takes('keepSilentAfterAppends')) return;
      // One of those that were under way when the call broke: a write would destroy it before it says so.
      if (!call.writableEnded) call.write(answer);
    }
  };
}

function success(recorded: Recorded, withoutPosition: boolean): BatchAppendResp.Success {
  const message = new streams.BatchAppendResp.Success();
  message.setCurrentRevision(recorded.revision.toString());
  if (withoutPosition) return message.setNoPosition(googleEmpty());
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(recorded.position.toString());
  position.setPreparePosition(recorded.position.toString());
  return message.setPosition(position);
}

/** A refusal is a google.rpc.Status here, with the reason as its detail. */
function refusal(error: WrongExpectedVersion | AppendTooBig): InstanceType<typeof status.Status> {
  const message = new status.Status();
  message.setMessage(error.message);
  if (error instanceof AppendTooBig) {
    const detail = new shared.MaximumAppendSizeExceeded().setMaxappendsize(error.limit);
    return message.setDetails(packed(detail, 'event_store.client.MaximumAppendSizeExceeded'));
  }
  const detail = new shared.WrongExpectedVersion();
  if (error.current === -1n) detail.setCurrentNoStream(googleEmpty());
  else detail.setCurrentStreamRevision(error.current.toString());
  if (typeof error.expected === 'bigint') detail.setExpectedStreamPosition(error.expected.toString());
  else if (error.expected === 'no_stream') detail.setExpectedNoStream(googleEmpty());
  else detail.setExpectedStreamExists(googleEmpty());
  message.setCode(FAILED_PRECONDITION);
  return message.setDetails(packed(detail, 'event_store.client.WrongExpectedVersion'));
}
