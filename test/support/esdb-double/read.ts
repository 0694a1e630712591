import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { notLeader, refusedFor } from './append.js';
import type { Chaos } from './chaos.js';
import type { Log, Recorded } from './log.js';
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  streamNotFoundMessage,
} from './messages.js';
import { failure, grpc, type ReadCall, readStreamName } from './wire.js';

/** `ReadReq.Options.ReadDirection.BACKWARDS` */
const BACKWARDS = 1;

/** Serves reads of a stream or of the whole log, and subscriptions to the whole log. */
export class Reader {
  /** Open calls. A call that is dropped is removed. */
  readonly open = new Set<ReadCall>();
  eventsSent = 0;
  filteredCalls = 0;
  subscriptions = 0;
  calls = 0;

  constructor(
    private readonly log: Log,
    private readonly chaos: Chaos,
  ) {}

  readonly read = (call: ReadCall): void => {
    this.open.add(call);
    this.calls++;
    call.on('error', () => {});
    call.once('cancelled', () => {
      this.open.delete(call);
      this.log.emit('appended');
    });
    void this.#serve(call).finally(() => this.open.delete(call));
  };

  async #serve(call: ReadCall): Promise<void> {
    if (this.chaos.hangReads) return void (await once(call, 'cancelled'));
    const leader = refusedFor(this.chaos, call.metadata, true);
    if (leader) return void call.emit('error', notLeader(leader));
    const options = call.request.getOptions()!;
    const position = options.getAll()?.getPosition()?.getCommitPosition();
    if (position !== undefined && !this.log.readsFrom(BigInt(position)))
      return void call.emit('error', invalidPosition(options.hasSubscription()));
    if (options.hasSubscription()) return this.#subscribe(call, options);
    if (options.hasAll()) return this.#readAll(call, options);
    return this.#readStream(call, options);
  }

  /** Returns the number of events that this node has: a follower receives them later. */
  get #seen(): number {
    const { all, indexedAt } = this.log;
    const { leader, replicationDelay } = this.chaos;
    if (leader === undefined || replicationDelay === 0) return all.length;
    let seen = all.length;
    while (seen > 0 && indexedAt[seen - 1]! > performance.now() - replicationDelay) seen--;
    return seen;
  }

  /** Reads a stream, in both directions starting with the given revision. */
  async #readStream(call: ReadCall, options: ReadReq.Options): Promise<void> {
    const from = options.getStream()!;
    const stream = readStreamName(from.getStreamIdentifier());
    const seen = this.#seen;
    const ofStream = this.log.streams.get(stream);
    const events =
      seen === this.log.all.length
        ? ofStream
        : ofStream?.filter(({ position }) => position < this.log.all[seen]!.position);
    if (!events?.length) {
      await this.#send(call, streamNotFoundMessage(stream));
      return void call.end();
    }
    const isBackwards = options.getReadDirection() === BACKWARDS;
    const last = events.length - 1;
    let index = from.hasStart() ? 0 : from.hasEnd() ? last : Number(from.getRevision());
    if (isBackwards) index = Math.min(index, last);
    await this.#page(call, options, events, index, !this.chaos.streamReadsWithoutPosition);
  }

  /** Reads the whole log, starting with the event at the position; backwards with the one before it. */
  async #readAll(call: ReadCall, options: ReadReq.Options): Promise<void> {
    const from = options.getAll()!;
    const seen = this.#seen;
    const all = seen === this.log.all.length ? this.log.all : this.log.all.slice(0, seen);
    const isBackwards = options.getReadDirection() === BACKWARDS;
    const at = from.hasPosition()
      ? this.log.indexFrom(BigInt(from.getPosition()!.getCommitPosition()))
      : undefined;
    const index = isBackwards
      ? (at ?? (from.hasEnd() ? all.length : 0)) - 1
      : (at ?? (from.hasEnd() ? all.length : 0));
    await this.#page(call, options, all, index, true);
  }

  async #page(
    call: ReadCall,
    options: ReadReq.Options,
    events: readonly Recorded[],
    from: number,
    withPosition: boolean,
  ): Promise<void> {
    const step = options.getReadDirection() === BACKWARDS ? -1 : 1;
    let left = Number(options.getCount());
    for (let i = from; left > 0 && events[i] !== undefined && this.open.has(call); i += step, left--) {
      await this.#send(call, eventMessage(events[i]!, withPosition));
    }
    call.end();
  }

  /** Sends all events after a position (exclusive), then new ones. */
  async #subscribe(call: ReadCall, options: ReadReq.Options): Promise<void> {
    this.subscriptions++;
    const { all } = this.log;
    const from = options.getAll()!;
    let next = from.hasEnd() ? this.#seen : 0;
    if (from.hasPosition()) {
      const position = BigInt(from.getPosition()!.getCommitPosition());
      next = this.log.indexFrom(position);
      if (all[next]?.position === position) next++;
      next = Math.max(0, next - this.chaos.redelivered);
    }
    const filter = filterOf(options);
    if (options.hasFilter()) this.filteredCalls++;
    let isCaughtUp = false;
    await this.#send(call, confirmationMessage());
    while (this.open.has(call)) {
      const event = next < this.#seen ? all[next] : undefined;
      if (event !== undefined) {
        next++;
        if (filter.matches(event)) await this.#send(call, eventMessage(event, true));
        if (next % filter.checkpointEvery === 0) await this.#send(call, checkpointMessage(event.position));
      } else if (!isCaughtUp) {
        isCaughtUp = true;
        await this.#send(call, caughtUpMessage());
      } else if (next < all.length) {
        await sleep(5);
      } else {
        await once(this.log, 'appended');
      }
    }
  }

  /** Sends a message and waits while the flow-control window of the reader is full. */
  async #send(call: ReadCall, message: ReadResp): Promise<void> {
    if (!this.open.has(call)) return;
    if (message.hasEvent()) this.eventsSent++;
    if (call.write(message)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        call.off('drain', done).off('cancelled', done).off('error', done);
        resolve();
      };
      call.on('drain', done).on('cancelled', done).on('error', done);
    });
  }
}

const invalidPosition = (isSubscription: boolean) =>
  isSubscription
    ? failure(grpc.status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')
    : failure(grpc.status.UNKNOWN, 'Unexpected ReadAllResult: InvalidPosition');

interface Filter {
  readonly matches: (event: Recorded) => boolean;
  readonly checkpointEvery: number;
}

/**
 * Supports only prefixes of the event type: the driver does not filter, and the spec of the client's known defect
 * needs no more.
 */
function filterOf(options: ReadReq.Options): Filter {
  const filter = options.getFilter();
  if (!filter) return { matches: () => true, checkpointEvery: Infinity };
  const prefixes = filter.getEventType()!.getPrefixList();
  return {
    matches: (event) => prefixes.some((prefix) => event.type.startsWith(prefix)),
    checkpointEvery: 32 * filter.getCheckpointintervalmultiplier(),
  };
}
