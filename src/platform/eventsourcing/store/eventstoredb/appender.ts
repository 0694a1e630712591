import { setTimeout as sleep } from 'node:timers/promises';
import { StreamDeletedError } from '@eventstore/db-client';
import {
  type SerializedEvent,
  AppendOutcomeUnknown,
  type ExpectedRevision,
  RevisionConflict,
  StoreUnavailable,
} from '../event-store.js';
import { type Answer, AppendCall } from './append-call.js';
import { connectClient, dispose, type NodeClient } from './client.js';
import { InFlight } from './in-flight.js';
import { messageOf, readLeader } from './reads.js';

type Stored = Extract<Answer, { kind: 'stored' }>;
type Refusal = Exclude<Answer, Stored | { reason: string }>;

/**
 * How often an append is sent that the node did not see done in its time. A node drops a repeat that comes before it
 * has indexed the original, and says after two or three seconds that it timed out; by then the next one finds it.
 */
const SENT_AT_MOST = 4;
const FIRST_PAUSE_MS = 20;

/** Appends over one call on a client of their own. A call that breaks is replaced by the next append. */
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
    const bytes = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
    return this.#inFlight.run(bytes, async () => {
      const until = performance.now() + this.deadline;
      let mayBeStored = false;
      for (let sent = 1; ; sent++) {
        const answer = await this.#send({ stream, expected, events }, until, mayBeStored);
        if (answer.kind === 'stored') return answer;
        if (isRefusal(answer)) throw refused(answer, stream, expected);

        // An answer on a call that goes on: only this append has to be sent again.
        mayBeStored ||= answer.kind !== 'not_handled';
        const pause = answer.kind === 'timeout' ? 0 : FIRST_PAUSE_MS * 4 ** (sent - 1);
        const isLast = sent === SENT_AT_MOST || performance.now() + pause >= until;
        if (isLast || this.#isClosed) throw unanswered(stream, answer.reason, mayBeStored);
        await sleep(pause);
      }
    });
  }

  async close(): Promise<void> {
    const closed = new StoreUnavailable('the event store is closed');
    this.#isClosed = true;
    this.#inFlight.refuseWaiting(closed);
    this.#call?.cancel(closed);
    await dispose(this.#client);
  }

  /** @param mayBeStored whether the same append was sent before */
  async #send(
    append: Parameters<AppendCall['send']>[0],
    until: number,
    mayBeStored: boolean,
  ): Promise<Answer> {
    const call = await this.#open().catch((error: unknown) => {
      throw unanswered(append.stream, messageOf(error), mayBeStored);
    });
    const { answers } = call;
    try {
      return await call.send(append, Math.max(1, until - performance.now()));
    } catch (error) {
      // A call over which others were answered meanwhile is sound; one that has fallen silent takes no more.
      if (call.isOpen && call.answers === answers) call.cancel(new Error('the node does not answer appends'));
      throw unanswered(append.stream, messageOf(error), true);
    }
  }

  /** The call in use, or a new one, which all who find none wait for. */
  async #open(): Promise<AppendCall> {
    if (this.#call?.isOpen) return this.#call;
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Over a client that has read something: an append that could not even be sent must not be called unknown. */
  async #connect(): Promise<AppendCall> {
    await readLeader(this.#client, this.deadline);
    const call = new AppendCall(await this.#client.batchAppend());
    if (this.#isClosed) call.cancel(new StoreUnavailable('the event store is closed'));
    return (this.#call = call);
  }
}

const isRefusal = (answer: Exclude<Answer, Stored>): answer is Refusal => !('reason' in answer);

function refused({ kind }: Refusal, stream: string, expected: ExpectedRevision): Error {
  switch (kind) {
    case 'conflict':
      return new RevisionConflict(stream, expected);
    case 'access_denied':
      return new StoreUnavailable(
        'the event store denies the append: check the credentials of EVENTSTORE_URL',
      );
    case 'stream_deleted':
      return StreamDeletedError.fromStreamName(stream);
    case 'too_large':
      return new Error(
        `an append to ${stream} is larger than the event store allows: raise its MaxAppendSize`,
      );
  }
}

function unanswered(stream: string, reason: string, mayBeStored: boolean): Error {
  return mayBeStored
    ? new AppendOutcomeUnknown(`the append to ${stream} was not answered: ${reason}`)
    : new StoreUnavailable(`the event store does not answer: ${reason}`);
}
