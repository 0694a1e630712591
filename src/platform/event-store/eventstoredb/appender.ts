import {
  AccessDeniedError,
  type AppendResult as ClientResult,
  type EndPoint,
  type EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import {
  AppendOutcomeUnknown,
  type ExpectedRevision,
  type NewEvent,
  RevisionConflict,
  StoreUnavailable,
} from '../event-store.js';
import { connectClient, dispose, toNode } from './client.js';
import { InFlight } from './in-flight.js';
import { allEvents, asUnavailable, messageOf } from './reads.js';

/**
 * Appends over a client of their own. The client's batch append keeps one table of pending appends for the whole
 * process: a broken stream rejects all of them, and an answer that comes later finds no entry and throws where nobody
 * catches. So one store has one appending client, and a client that failed once is disposed of, its streams ended,
 * before the next one is used.
 */
export class Appender {
  readonly #inFlight: InFlight;
  #client: EventStoreDBClient;
  /** That the client reached the store; asked for before the first append over it. */
  #reached: Promise<void> | undefined;
  #disposed: Promise<void> = Promise.resolve();

  constructor(
    private readonly connectionString: string,
    private readonly deadline: number,
  ) {
    this.#client = connectClient(connectionString);
    this.#inFlight = new InFlight(deadline);
  }

  /** @throws RevisionConflict, AppendOutcomeUnknown, StoreUnavailable */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<ClientResult> {
    return this.#inFlight.run(async () => {
      const client = await this.#connected();
      try {
        return await this.#inTime(
          client.appendToStream(stream, events.map(asJsonEvent), {
            expectedRevision: expected,
            deadline: this.deadline,
          }),
        );
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) throw new RevisionConflict(stream, expected);
        if (error instanceof MaxAppendSizeExceededError || error instanceof StreamDeletedError) throw error;
        // A leader that steps down breaks its stream, and what was under way there may be stored: unknown as well.
        this.#replace(client, error instanceof NotLeaderError ? error.leader : undefined);
        if (error instanceof AccessDeniedError) throw asUnavailable(error);
        const reason = `the append to ${stream} was not answered: ${messageOf(error)}`;
        throw new AppendOutcomeUnknown(reason, { cause: error });
      }
    });
  }

  async close(): Promise<void> {
    this.#inFlight.refuseWaiting(new StoreUnavailable('the event store is closed'));
    await this.#disposed;
    await dispose(this.#client);
  }

  /**
   * A client that has read something: an append that could not even be sent must not be called unknown.
   * @throws StoreUnavailable
   */
  async #connected(): Promise<EventStoreDBClient> {
    await this.#disposed;
    const client = this.#client;
    this.#reached ??= reach(client, this.deadline);
    try {
      await this.#reached;
    } catch (error) {
      this.#replace(client);
      throw error;
    }
    return client;
  }

  /** @param leader the node to go to, once; where it fails too, the connection string says again where to begin */
  #replace(failed: EventStoreDBClient, leader?: EndPoint): void {
    if (failed !== this.#client) return;
    this.#disposed = dispose(failed);
    this.#client = connectClient(leader ? toNode(this.connectionString, leader) : this.connectionString);
    this.#reached = undefined;
  }

  /** The client itself waits for ever for the answer to a batch append. */
  #inTime<Result>(answer: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new Error(`no answer within ${this.deadline} ms`));
      const timer = setTimeout(late, this.deadline);
      answer.finally(() => clearTimeout(timer)).then(resolve, reject);
    });
  }
}

const asJsonEvent = ({ id, type, data, metadata }: NewEvent) =>
  jsonEvent({ id, type, data: data as Record<string, unknown>, metadata: { ...metadata } });

async function reach(client: EventStoreDBClient, deadline: number): Promise<void> {
  for await (const _ of allEvents(client, { maxCount: 1 }, deadline)) return;
}
