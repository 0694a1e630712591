import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Position, RecordedEvent, StreamCategory } from '../../../../kernel/event.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { ClaimsToTake } from '../../claims/claim.js';
import { anySignal } from '../../../concurrency/signals.js';
import {
  serializeAppend,
  type AppendResult,
  CAUGHT_UP,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadStreamOptions,
  StoreUnavailable,
} from '../event-store.js';
import { AppendSignal } from './append-signal.js';
import { asStoreError, GroupCommit } from './group-commit.js';
import { positionOf, type EventRow, eventPageOf, StreamReads, type EventPage } from './stream-reads.js';
import { RecentEvents } from './recent-events.js';
import { HEAD, IDENTITY, READ_ALL, STREAMS_OF, type Statement } from './statements.js';

/** Events of a page; statements.ts limits its bytes. */
const PAGE = 500;
/** Shortest milliseconds between two reads of a subscription: under load a read has more events. */
const READ_EVERY = 20;
const RETRY_FIRST = 100;
const RETRY_MOST = 5_000;
const LARGEST_REVISION = 2n ** 63n - 1n;

/** The log in the `events` table (tables.ts). It does not own the pool: close the store first, then the pool. */
export class PostgresEventStore implements EventStore {
  readonly #closed = new AbortController();
  readonly #signal: AppendSignal;
  readonly #commits: GroupCommit;
  readonly #reads = new StreamReads((statement, values) => this.#query(statement, values));
  readonly #recent = new RecentEvents();
  /** True if this process has a subscription, for which recent events are cached. */
  #isSubscribed = false;

  constructor(private readonly pool: Pool) {
    this.#signal = new AppendSignal(pool);
    this.#commits = new GroupCommit(pool, (appended) => {
      if (this.#isSubscribed) this.#recent.note(appended());
      this.#signal.appended();
    });
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    claims?: ClaimsToTake,
  ): Promise<AppendResult> {
    return this.#commits.append({ stream, expected, events: serializeAppend(stream, events), claims });
  }

  async *readStream(stream: string, options: ReadStreamOptions = {}): AsyncGenerator<RecordedEvent> {
    const { direction = 'forwards', limit = Infinity } = options;
    const forwards = direction === 'forwards';
    let from = options.from ?? (forwards ? 0n : LARGEST_REVISION);
    let left = limit;
    while (left > 0) {
      const count = Math.min(PAGE, left);
      const page = await (forwards
        ? this.#reads.forwards(stream, from, count)
        : this.#reads.backwards(stream, from, count, options.until));
      yield* page.events;
      if (page.isLast) return;
      left -= page.events.length;
      from = page.events.at(-1)!.revision + (forwards ? 1n : -1n);
    }
  }

  async *readAll(after?: Position, limit = Infinity): AsyncGenerator<RecordedEvent> {
    let last = after?.commit ?? 0n;
    let left = limit;
    this.#refuseWhenClosed();
    while (left > 0) {
      const count = Math.min(PAGE, left);
      const known = this.#recent.after(last, count);
      const page = known.length > 0 ? { events: known, isLast: false } : await this.#pageOfAll(last, count);
      yield* page.events;
      if (page.isLast) return;
      left -= page.events.length;
      last = page.events.at(-1)!.position.commit;
    }
  }

  async *subscribeAll(
    after: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<RecordedEvent | typeof CAUGHT_UP> {
    this.#refuseWhenClosed();
    const { signal: stop, release } = anySignal(signal, this.#closed.signal);
    try {
      this.#signal.listen();
      this.#isSubscribed = true;
      let last = after?.commit ?? 0n;
      let live = false;
      let pause = RETRY_FIRST;
      while (!stop.aborted) {
        const signals = this.#signal.count;
        const readAt = performance.now();
        let page: EventPage;
        try {
          const known = live ? this.#recent.after(last, PAGE) : [];
          if (known.length > 0) page = { events: known, isLast: known.length < PAGE };
          else page = await this.#pageOfAll(last, PAGE);
          if (page.isLast) this.#recent.note(page.events);
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error;
          await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
          pause = Math.min(pause * 2, RETRY_MOST);
          live = false;
          continue;
        }
        pause = RETRY_FIRST;
        for (const event of page.events) {
          if (stop.aborted) return;
          yield event;
          last = event.position.commit;
        }
        if (!page.isLast) {
          live = false;
          continue;
        }
        if (!live) {
          live = true;
          if (!stop.aborted) yield CAUGHT_UP;
        }
        await this.#signal.next(signals, stop);
        const early = readAt + READ_EVERY - performance.now();
        if (early > 0) await sleep(early, undefined, { signal: stop }).catch(() => undefined);
      }
    } finally {
      release();
    }
  }

  async *streamsOf(category: StreamCategory): AsyncGenerator<string> {
    for (let last = '0', full = true; full;) {
      const rows: { stream: string; position: string }[] = await this.#query(STREAMS_OF, [
        last,
        `${category}-`,
        PAGE,
      ]);
      for (const { stream } of rows) yield stream;
      last = rows.at(-1)?.position ?? last;
      full = rows.length === PAGE;
    }
  }

  async head(): Promise<Position | undefined> {
    const [row] = await this.#query<{ position: string | null }>(HEAD, []);
    return row?.position ? positionOf(row.position) : undefined;
  }

  async identity(): Promise<Uuid | undefined> {
    this.#refuseWhenClosed();
    return (await this.#query<{ id: Uuid }>(IDENTITY, []))[0]?.id;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#commits.close();
    await this.#signal.close();
  }

  async #pageOfAll(after: bigint, count: number): Promise<EventPage> {
    return eventPageOf(await this.#query<EventRow>(READ_ALL, [after, count]), count);
  }

  async #query<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    this.#refuseWhenClosed();
    try {
      return (await this.pool.query<Row>({ values, ...statement })).rows;
    } catch (error) {
      throw asStoreError(error);
    }
  }

  #refuseWhenClosed(): void {
    if (this.#closed.signal.aborted) throw new StoreUnavailable('The event store is closed.');
  }
}
