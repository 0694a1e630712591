import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '../../../../kernel/event.js';
import type { SerializedEvent, ExpectedRevision } from '../event-store.js';
import type { BatchAppendStream } from './client.js';

type GoogleEmpty = NonNullable<Parameters<BatchAppendReq.Options['setNoStream']>[0]>;
type GoogleTimestamp = NonNullable<Parameters<BatchAppendReq.Options['setDeadline']>[0]>;

/** Google's own messages, in the copy that the client's messages are made of. */
const ofTheClient = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'));
const { Empty } = ofTheClient('google-protobuf/google/protobuf/empty_pb.js') as {
  Empty: new () => GoogleEmpty;
};
const { Timestamp } = ofTheClient('google-protobuf/google/protobuf/timestamp_pb.js') as {
  Timestamp: { fromDate(date: Date): GoogleTimestamp };
};

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerializedEvent[];
}

/**
 * The node's answer to one append, on a call that goes on. `timeout`: it did not see the append done in its time, which
 * may be done all the same. `not_handled`: it says that it did nothing.
 */
export type Answer =
  | { readonly kind: 'stored'; readonly revision: bigint; readonly position: Position | undefined }
  | { readonly kind: 'conflict' | 'access_denied' | 'stream_deleted' | 'too_large' }
  | { readonly kind: 'timeout' | 'not_handled' | 'unknown'; readonly reason: string };

interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One call of batch appends, as EventStoreDB answers them: in any order, each by its correlation id. A call that breaks
 * fails what is under way on it and nothing else, and an answer that nobody waits for any more is dropped. (The client's
 * own batch append keeps one table for the whole process, where the break of one call fails the appends of all, and a
 * queue of writes whose failures nobody can catch once 16 are waiting.)
 */
export class AppendCall {
  readonly #pending = new Map<string, Pending>();
  #broken: Error | undefined;
  /** Counts answers, so that whoever waits in vain knows whether others were answered meanwhile. */
  answers = 0;

  constructor(private readonly stream: BatchAppendStream) {
    stream.on('data', (answer: BatchAppendResp) => this.#answered(answer));
    stream.on('error', (error: Error) => this.#break(error));
    stream.on('end', () => this.#break(new Error('the node ended the call')));
  }

  /** Whether it can take appends. */
  get isOpen(): boolean {
    return this.#broken === undefined;
  }

  /** @throws Error when the call breaks, or no answer comes within the time (ms): the append may be stored or not */
  send(append: Append, within: number): Promise<Answer> {
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      if (this.#broken) return reject(this.#broken);
      const late = (): void => {
        this.#pending.delete(id);
        reject(new Error(`no answer within ${within} ms`));
      };
      const timer = setTimeout(late, within);
      this.#pending.set(id, {
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.stream.write(request(id, append, within));
    });
  }

  /** Fails what is under way. */
  cancel(reason: Error): void {
    this.#break(reason);
    this.stream.cancel();
  }

  #answered(message: BatchAppendResp): void {
    this.answers += 1;
    const id = textOf(message.getCorrelationId()!);
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.resolve(answerOf(message));
  }

  #break(error: Error): void {
    this.#broken ??= error;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }
}

function request(id: string, { stream, expected, events }: Append, within: number): BatchAppendReq {
  const options = new streams.BatchAppendReq.Options();
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  options.setStreamIdentifier(identifier);
  options.setDeadline(Timestamp.fromDate(new Date(Date.now() + within)));
  if (expected === 'no_stream') options.setNoStream(new Empty());
  else options.setStreamPosition(expected.toString());
  const message = new streams.BatchAppendReq();
  message.setCorrelationId(uuid(id));
  message.setOptions(options);
  message.setProposedMessagesList(events.map(proposed));
  message.setIsFinal(true);
  return message;
}

function proposed({ id, type, data, metadata }: SerializedEvent): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage();
  message.setId(uuid(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  // As bytes: text would have to be base64, and be decoded again for the wire.
  message.setData(Buffer.from(data));
  message.setCustomMetadata(Buffer.from(metadata));
  return message;
}

function answerOf(message: BatchAppendResp): Answer {
  const success = message.getSuccess();
  if (success) {
    const position = success.getPosition();
    return {
      kind: 'stored',
      revision: BigInt(success.getCurrentRevision()),
      position: position && {
        commit: BigInt(position.getCommitPosition()),
        prepare: BigInt(position.getPreparePosition()),
      },
    };
  }
  const error = message.getError();
  const reason = error?.getMessage() ?? 'no reason';
  switch (error?.getDetails()?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion':
      return { kind: 'conflict' };
    case 'event_store.client.Timeout':
      return { kind: 'timeout', reason: 'the node timed out' };
    case 'event_store.client.AccessDenied':
      return { kind: 'access_denied' };
    case 'event_store.client.StreamDeleted':
      return { kind: 'stream_deleted' };
    case 'event_store.client.MaximumAppendSizeExceeded':
      return { kind: 'too_large' };
    // A node that is not ready, too busy, or knows no leader packs nothing as the detail.
    case 'google.protobuf.Empty':
      return { kind: 'not_handled', reason };
    default:
      return { kind: 'unknown', reason };
  }
}

function uuid(text: string): UUID {
  const message = new shared.UUID();
  message.setString(text);
  return message;
}

/** A node echoes the id as it came, as text, or says it in two halves. */
export function textOf(message: UUID): string {
  const halves = message.getStructured();
  if (!halves) return message.getString();
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(BigInt(halves.getMostSignificantBits()), 0);
  bytes.writeBigInt64BE(BigInt(halves.getLeastSignificantBits()), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
