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

/** Loads Google's message type from the copy that the client uses. */
const requireOfClient = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'));
const { Empty } = requireOfClient('google-protobuf/google/protobuf/empty_pb.js') as {
  Empty: new () => GoogleEmpty;
};

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerializedEvent[];
}

/** AppendAnswer of a node to one append. After `timeout` the events may be stored; after `not_handled` they are not. */
export type AppendAnswer =
  | { readonly type: 'stored'; readonly revision: bigint; readonly position: Position | undefined }
  | { readonly type: 'conflict' | 'access_denied' | 'stream_deleted' | 'too_large' }
  | { readonly type: 'timeout' | 'not_handled' | 'unknown'; readonly reason: string };

interface Pending {
  readonly resolve: (answer: AppendAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A gRPC call of batch appends, which EventStoreDB answers in any order by correlation id. A broken call fails only its own
 * appends; late answers are dropped. (The batch append of the client keeps one table per process, so that one broken call
 * fails the appends of all, and its write errors cannot be caught when 16 appends wait.)
 */
export class AppendCall {
  readonly #pending = new Map<string, Pending>();
  #broken: Error | undefined;
  /** Number of answers, by which an append without one can tell a silent call from a busy one. */
  answers = 0;

  constructor(private readonly stream: BatchAppendStream) {
    stream.on('data', (answer: BatchAppendResp) => this.#answered(answer));
    stream.on('error', (error: Error) => this.#break(error));
    stream.on('end', () => this.#break(new Error('The node ended the call.')));
  }

  /** True while the call can take appends. */
  get isOpen(): boolean {
    return this.#broken === undefined;
  }

  /** Sends an append. @throws Error if the call breaks or has no answer after `within` ms: the append may be stored */
  send(append: Append, within: number): Promise<AppendAnswer> {
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      if (this.#broken) return reject(this.#broken);
      const late = (): void => {
        this.#pending.delete(id);
        reject(new Error(`The node did not answer within ${within} ms.`));
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
      this.stream.write(request(id, append));
    });
  }

  /** Fails the appends under way. */
  cancel(reason: Error): void {
    this.#break(reason);
    this.stream.cancel();
  }

  #answered(message: BatchAppendResp): void {
    this.answers += 1;
    const id = uuidText(message.getCorrelationId()!);
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

/**
 * The request has no deadline, which would be an instant by this machine's clock: a node whose clock is ahead of it would
 * write nothing. The node has its own limit.
 */
function request(id: string, { stream, expected, events }: Append): BatchAppendReq {
  const options = new streams.BatchAppendReq.Options();
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  options.setStreamIdentifier(identifier);
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
  // The setter would read text as base64, so bytes are passed.
  message.setData(Buffer.from(data));
  message.setCustomMetadata(Buffer.from(metadata));
  return message;
}

function answerOf(message: BatchAppendResp): AppendAnswer {
  const success = message.getSuccess();
  if (success) {
    const position = success.getPosition();
    return {
      type: 'stored',
      revision: BigInt(success.getCurrentRevision()),
      position: position && {
        commit: BigInt(position.getCommitPosition()),
        prepare: BigInt(position.getPreparePosition()),
      },
    };
  }
  const error = message.getError();
  const reason = error?.getMessage() ?? 'the node gives no reason';
  switch (error?.getDetails()?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion':
      return { type: 'conflict' };
    case 'event_store.client.Timeout':
      return { type: 'timeout', reason: 'the node timed out' };
    case 'event_store.client.AccessDenied':
      return { type: 'access_denied' };
    case 'event_store.client.StreamDeleted':
      return { type: 'stream_deleted' };
    case 'event_store.client.MaximumAppendSizeExceeded':
      return { type: 'too_large' };
    // A node that is not ready, is too busy, or knows no leader sends an empty detail.
    case 'google.protobuf.Empty':
      return { type: 'not_handled', reason };
    default:
      return { type: 'unknown', reason };
  }
}

function uuid(text: string): UUID {
  const message = new shared.UUID();
  message.setString(text);
  return message;
}

/** Reads an id, which a node sends as text or as two halves. */
export function uuidText(message: UUID): string {
  const halves = message.getStructured();
  if (!halves) return message.getString();
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(BigInt(halves.getMostSignificantBits()), 0);
  bytes.writeBigInt64BE(BigInt(halves.getLeastSignificantBits()), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
