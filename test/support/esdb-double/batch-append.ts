import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { expectedOf, notLeader, proposed, refusedFor, unavailable } from './append.js';
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

/** gRPC codes in a google.rpc.Status. */
const DEADLINE_EXCEEDED = 4;
const FAILED_PRECONDITION = 9;

interface Batch {
  readonly options: BatchAppendReq.Options;
  readonly events: Proposed[];
}

interface SeenAppends {
  underWay: number;
  /** Repeats that arrived before their original was indexed. */
  dropped: number;
}

/** Handles batch appends: all appends of a client share one call, and answers match requests by correlation id. */
export function batchAppend(log: Log, chaos: Chaos, seen: SeenAppends): BatchAppendHandler {
  /** Instant at which the previous append is indexed: a node processes appends sequentially. */
  let lastDone = 0;
  /** Resolves after the node's delay for an append that starts now. */
  async function indexed(): Promise<void> {
    seen.underWay++;
    await chaos.gate;
    lastDone = Math.max(lastDone, performance.now() + chaos.delay(seen.underWay));
    const pause = lastDone - performance.now();
    if (pause > 0) await sleep(pause);
    seen.underWay--;
  }

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
      const answer = new streams.BatchAppendResp();
      answer.setCorrelationId(last.getCorrelationId());
      answer.setStreamIdentifier(options.getStreamIdentifier());
      const stream = readStreamName(options.getStreamIdentifier());
      const leader = refusedFor(chaos, call.metadata);
      if (leader) throw notLeader(leader);
      if (isLate(options, chaos)) answer.setError(timedOut());
      else if (chaos.takes('notReadyForNextAppends')) answer.setError(notReady());
      else if (chaos.takes('failNextAppends')) {
        await indexed();
        throw unavailable();
      } else {
        try {
          const written = log.write(stream, expectedOf(options, options.getStreamPosition()), events);
          if (written.isDropped) seen.dropped++;
          if (written.isDropped || chaos.takes('timeOutNextAppends')) {
            await Promise.all([indexed(), sleep(chaos.writeTimeout)]);
            answer.setError(timedOut());
          } else {
            await indexed();
            answer.setSuccess(success(written.last, chaos.repeatsWithoutPosition && written.isRepeat));
          }
          log.index(written.last);
        } catch (error) {
          if (!(error instanceof WrongExpectedVersion || error instanceof AppendTooBig)) throw error;
          // A node refuses at once, although the conflicting append may not be indexed yet.
          answer.setError(refusal(error));
        }
      }
      if (chaos.takes('loseNextAnswers')) throw unavailable();
      if (chaos.takes('keepSilentAfterAppends')) return;
      // After another append broke the call, a write would destroy it before the error is sent.
      if (!call.writableEnded) call.write(answer);
    }
  };
}

/** Tells whether the deadline, an instant, has passed by the node's clock. A node then writes nothing. */
function isLate(options: BatchAppendReq.Options, { clockAhead }: Chaos): boolean {
  const deadline = options.getDeadline()?.toDate().getTime() ?? Infinity;
  return deadline <= Date.now() + clockAhead;
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

/** Returns a refusal as a google.rpc.Status with its reason as detail. */
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

/** Returns a timeout. Its message is empty, as in a real node. */
function timedOut(): InstanceType<typeof status.Status> {
  const message = new status.Status().setCode(DEADLINE_EXCEEDED);
  return message.setDetails(packed(new shared.Timeout(), 'event_store.client.Timeout'));
}

/** Returns the refusal of a node without a leader: nothing was written. */
function notReady(): InstanceType<typeof status.Status> {
  const message = new status.Status().setMessage('Server Is Not Ready');
  return message.setDetails(packed(googleEmpty(), 'google.protobuf.Empty'));
}
