import { BACKWARDS, END, START } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '../../../../kernel/event.js';
import { noteSize, StoreUnavailable } from '../event-store.js';
import { uuidText } from './append-call.js';
import type { NodeClient, ReadStream } from './client.js';

type Message = ReadResp.ReadEvent.RecordedEvent;
type Edge = typeof START | typeof END;

/** Part of the log to read; by default all of it, forwards. */
export interface LogPage {
  /** Stream to read; default the whole log. */
  readonly stream?: string;
  /** Revision in the stream, or position in the log. */
  readonly from?: bigint | Position | Edge;
  readonly direction?: string;
  readonly maxCount?: number;
  /** True if the read continues with events that are appended later. */
  readonly isSubscription?: boolean;
}

/** An event as a node returns it; data and metadata that are not JSON are bytes or text. */
export interface NodeEvent {
  readonly id: string;
  readonly streamId: string;
  readonly revision: bigint;
  readonly position: Position;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** Limit of events that are buffered ahead of the reader. */
const AHEAD = 32;

/**
 * A read that takes messages directly from the gRPC call: the read of the client passes each through two more streams,
 * which doubles the cost. The deadline (ms) limits the wait for the next message; the reader's own time does not count.
 */
export class ReadCall {
  readonly #call: Promise<ReadStream>;
  readonly #events: NodeEvent[] = [];
  #stream: ReadStream | undefined;
  #failure: unknown;
  #isOver = false;
  #hasAnswered = false;
  #left: number;
  #wake: () => void = () => undefined;

  constructor(
    client: NodeClient,
    private readonly page: LogPage,
    private readonly deadline: number,
    requiresLeader = true,
  ) {
    this.#left = page.maxCount ?? Infinity;
    this.#call = client.read(request(page), requiresLeader);
    this.#call.then(
      (stream) => this.#listen(stream),
      (error: unknown) => this.#end(error),
    );
  }

  /** True once the node has sent a message. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Returns the next event; undefined after the last one. @throws Error of the call; StoreUnavailable */
  async next(): Promise<NodeEvent | undefined> {
    if (this.#left === 0) return undefined;
    if (this.#events.length === 0 && !this.#isOver) await this.#arrival();
    const event = this.#events.shift();
    if (event) {
      this.#left -= 1;
      if (this.#events.length === 0) this.#stream?.resume();
      return event;
    }
    if (this.#failure !== undefined) throw this.#failure;
    return undefined;
  }

  /**
   * Cancels the call if the node has more to send. A complete call ends by itself: a server closes a connection on which
   * too many calls are cancelled.
   */
  leave(): void {
    if (this.#isOver || this.#left === 0) return void this.#stream?.resume();
    this.#end(undefined);
    // A call that is cancelled in the turn in which it began may stay open.
    void this.#call.then((stream) => setImmediate(() => stream.cancel())).catch(() => undefined);
  }

  #listen(stream: ReadStream): void {
    this.#stream = stream;
    stream.on('error', (error) => this.#end(error));
    stream.on('end', () => this.#end(undefined));
    stream.on('data', (message: ReadResp) => {
      this.#hasAnswered = true;
      const event = message.getEvent()?.getEvent();
      if (!event || this.#isOver) return;
      this.#events.push(stored(event));
      if (this.#events.length === AHEAD && this.#left > AHEAD) stream.pause();
      this.#wake();
    });
  }

  #end(failure: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#wake();
  }

  /** Waits for an event, or the end. */
  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      if (this.page.isSubscription) return void (this.#wake = resolve);
      const late = (): void => {
        const failure = new StoreUnavailable(`The node sent no event within ${this.deadline} ms.`);
        this.leave();
        this.#failure = failure;
        resolve();
      };
      const timer = setTimeout(late, this.deadline);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function request({ stream, from = START, direction, maxCount, isSubscription }: LogPage): ReadReq {
  const { Options } = streams.ReadReq;
  const options = new Options();
  if (stream === undefined) options.setAll(startInAll(from as Position | Edge));
  else options.setStream(startInStream(stream, from as bigint | Edge));
  options.setReadDirection(direction === BACKWARDS ? 1 : 0);
  if (isSubscription) options.setSubscription(new Options.SubscriptionOptions());
  else options.setCount(String(maxCount ?? Number.MAX_SAFE_INTEGER));
  options.setUuidOption(new Options.UUIDOption().setString(new shared.Empty()));
  options.setNoFilter(new shared.Empty());
  return new streams.ReadReq().setOptions(options);
}

function startInAll(from: Position | Edge): ReadReq.Options.AllOptions {
  const start = new streams.ReadReq.Options.AllOptions();
  if (from === START) return start.setStart(new shared.Empty());
  if (from === END) return start.setEnd(new shared.Empty());
  const position = new streams.ReadReq.Options.Position();
  position.setCommitPosition(from.commit.toString()).setPreparePosition(from.prepare.toString());
  return start.setPosition(position);
}

function startInStream(stream: string, from: bigint | Edge): ReadReq.Options.StreamOptions {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  const start = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier);
  if (from === START) return start.setStart(new shared.Empty());
  return from === END ? start.setEnd(new shared.Empty()) : start.setRevision(from.toString());
}

function stored(message: Message): NodeEvent {
  const about = message.getMetadataMap();
  const isJson = about.get('content-type') === 'application/json';
  const bytes = message.getData_asU8();
  const data = isJson ? parsed(bytes) : bytes;
  noteSize(data, bytes.length);
  return {
    id: uuidText(message.getId()!),
    streamId: utf8(message.getStreamIdentifier()!.getStreamName_asU8()),
    revision: BigInt(message.getStreamRevision()),
    position: {
      commit: BigInt(message.getCommitPosition()),
      prepare: BigInt(message.getPreparePosition()),
    },
    type: about.get('type') ?? '',
    isJson,
    data,
    metadata: parsed(message.getCustomMetadata_asU8()),
  };
}

/** Parses JSON, and returns the text if another application stored invalid JSON. */
function parsed(bytes: Uint8Array): unknown {
  const text = utf8(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const utf8 = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString();
