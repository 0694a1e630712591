import { setTimeout as sleep } from 'node:timers/promises';
import { StreamDeletedError } from '@eventstore/db-client';
import {
  type SerializedEvent,
  AppendOutcomeUnknown,
  bytesOf,
  type ExpectedRevision,
  RevisionConflict,
  StoreUnavailable,
} from '../event-store.js';
import { type AppendAnswer, AppendCall } from './append-call.js';
import { connectClient, dispose, type NodeClient } from './client.js';
import { InFlight } from './in-flight.js';
import { messageOf, ping } from './reads.js';

type Stored = Extract<AppendAnswer, { type: 'stored' }>;
type Refusal = Exclude<AppendAnswer, Stored | { reason: string }>;

/**
 * Limit of attempts. A node drops a repeat that comes before it has indexed the first append, and reports a timeout after
 * two or three seconds; the next repeat then finds the events.
 */
const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 20;

/** Sends appends over one call, on a client that does nothing else. The next append replaces a broken call. */
export class Appender {
  readonly #inFlight: InFlight;
  readonly #client: NodeClient;
  #call: AppendCall | undefined;
  #opening: Promise<AppendCall> | undefined;
  #isClosed = false;

  constructor(
    connectionString: string,
    private readonly deadline: number,
  ) {
    this.#client = connectClient(connectionString);
    this.#inFlight = new InFlight(deadline);
  }

  /** @throws RevisionConflict, AppendOutcomeUnknown, StoreUnavailable */
  append(stream: string, expected: ExpectedRevision, events: readonly SerializedEvent[]): Promise<Stored> {
    return this.#inFlight.run(bytesOf(events), async () => {
      const until = performance.now() + this.deadline;
      let mayBeStored = false;
      for (let attempt = 1; ; attempt++) {
        const answer = await this.#send({ stream, expected, events }, until, mayBeStored);
        if (answer.type === 'stored') return answer;
        if (isRefusal(answer)) throw refused(answer, stream, expected);

        // The call is sound; only this append has to be repeated.
        mayBeStored ||= answer.type !== 'not_handled';
        const pause = answer.type === 'timeout' ? 0 : FIRST_PAUSE_MS * 4 ** (attempt - 1);
        const isLast = attempt === MAX_ATTEMPTS || performance.now() + pause >= until;
        if (isLast || this.#isClosed) throw unanswered(stream, answer.reason, mayBeStored);
        await sleep(pause);
      }
    });
  }

  async close(): Promise<void> {
    const closed = new StoreUnavailable('The event store is closed.');
    this.#isClosed = true;
    this.#inFlight.refuseWaiting(closed);
    this.#call?.cancel(closed);
    await dispose(this.#client);
  }

  /** @param mayBeStored whether an earlier attempt may have stored the events */
  async #send(
    append: Parameters<AppendCall['send']>[0],
    until: number,
    mayBeStored: boolean,
  ): Promise<AppendAnswer> {
    const call = await this.#open().catch((error: unknown) => {
      throw unanswered(append.stream, messageOf(error), mayBeStored);
    });
    const { answers } = call;
    try {
      return await call.send(append, Math.max(1, until - performance.now()));
    } catch (error) {
      // A call without any answer meanwhile is silent and takes no more appends.
      if (call.isOpen && call.answers === answers)
        call.cancel(new Error('The node does not answer appends.'));
      throw unanswered(append.stream, messageOf(error), true);
    }
  }

  /** Returns the open call, or opens one, which concurrent appends share. */
  async #open(): Promise<AppendCall> {
    if (this.#call?.isOpen) return this.#call;
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Opens a call after a successful read: an append that cannot be sent must not count as unknown. */
  async #connect(): Promise<AppendCall> {
    await ping(this.#client, this.deadline);
    const call = new AppendCall(await this.#client.batchAppend());
    if (this.#isClosed) call.cancel(new StoreUnavailable('The event store is closed.'));
    return (this.#call = call);
  }
}

const isRefusal = (answer: Exclude<AppendAnswer, Stored>): answer is Refusal => !('reason' in answer);

function refused({ type }: Refusal, stream: string, expected: ExpectedRevision): Error {
  switch (type) {
    case 'conflict':
      return new RevisionConflict(stream, expected);
    case 'access_denied':
      return new StoreUnavailable(
        'The event store denies the append. Check the credentials in EVENTSTORE_URL.',
      );
    case 'stream_deleted':
      return StreamDeletedError.fromStreamName(stream);
    case 'too_large':
      return new Error(
        `An append to ${stream} is larger than the event store allows. Raise its MaxAppendSize.`,
      );
  }
}

function unanswered(stream: string, reason: string, mayBeStored: boolean): Error {
  return mayBeStored
    ? new AppendOutcomeUnknown(`The append to ${stream} has no answer: ${reason}`)
    : new StoreUnavailable(`The event store does not answer: ${reason}`);
}
