import { setTimeout as sleep } from 'node:timers/promises';
import { comparePositions, type Position, type RecordedEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import { forEachConcurrent } from '../../concurrency/limits.js';
import type { EventStore } from '../store/event-store.js';
import type { Logger } from '../../telemetry/logger.js';
import type { PolicyCheckpoint } from './policy-checkpoint.js';
import type { Policies } from './policies.js';

/** An event whose policies have to run, in the order of the log; it is read again when it is due. */
interface Task {
  readonly id: Uuid;
  readonly stream: string;
  readonly revision: bigint;
  /** Position that may be remembered as done when everything before this event is. */
  readonly before: Position | undefined;
  dueAt: number;
  failures: number;
}

export interface WorkerTimes {
  /** How long whoever wrote an event has for doing what follows, before the worker does it too. */
  readonly graceMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

const TIMES: WorkerTimes = { graceMs: 5_000, firstRetryMs: 1_000, longestRetryMs: 60_000 };

/** More unfinished events than this are not kept in memory: reading on waits. */
const MOST_TASKS = 5_000;
const LOOK_EVERY_MS = 250;
/** A store that takes its time over each append takes many at once. */
const AT_ONCE = 64;

/**
 * Runs the policies of events whose writer died before it had run them (docs/architecture.md#policies). Everything here may be
 * done twice: by two processes, by the writer and by this, or again after a restart.
 */
export class PolicyWorker {
  #tasks: Task[] = [];
  readonly #stopping = new AbortController();
  #read: Position | undefined;
  #saved: Position | undefined;
  #running: Promise<unknown> | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly policies: Policies,
    private readonly checkpoint: PolicyCheckpoint,
    private readonly log: Logger,
    private readonly times: WorkerTimes = TIMES,
  ) {}

  start(): void {
    this.#running ??= Promise.all([this.#readLog(), this.#work()]);
  }

  /** Finishes the policy under way and saves the checkpoint. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Does now whatever is not known to be done: for who must not go on before it is, as a clock that moves. */
  async catchUp(): Promise<void> {
    // The list has all read work that is not known to be done.
    const listed = [...this.#tasks];
    const read = this.#read ?? (await this.#begin());
    await manyAtOnce(listed, (task) => this.#handle(task));
    await manyAtOnce(this.store.readAll(read), async (event) => {
      if (this.policies.has(event.type)) await this.policies.handle([event]);
    });
  }

  /** Nothing is due before its grace is over, so the log is read now and then, and not as it is written. */
  async #readLog(): Promise<void> {
    const { signal } = this.#stopping;
    let resumed = false;
    while (!signal.aborted) {
      try {
        if (!resumed) this.#read = this.#saved = await this.#begin();
        resumed = true;
        const room = MOST_TASKS - this.#tasks.length;
        for await (const event of this.store.readAll(this.#read, room)) {
          if (signal.aborted) return;
          if (this.#isOpen(event)) this.#tasks.push(this.#taskOf(event));
          this.#read = event.position;
        }
        await this.#pause(LOOK_EVERY_MS);
      } catch (err) {
        this.log.warn({ err }, 'the policy worker lost the log and tries again');
        await this.#pause(this.times.firstRetryMs);
      }
    }
  }

  /** A checkpoint beyond the head is of events that are no more: such a log, restored, is searched from its beginning. */
  async #begin(): Promise<Position | undefined> {
    const saved = await this.checkpoint.load(await this.store.identity());
    const head = saved && (await this.store.head());
    return head && comparePositions(saved, head) <= 0 ? saved : undefined;
  }

  #isOpen({ type, id }: RecordedEvent): boolean {
    return this.policies.has(type) && !this.policies.isHandled(id);
  }

  #taskOf({ id, stream, revision }: RecordedEvent): Task {
    const dueAt = performance.now() + this.times.graceMs;
    return { id, stream, revision, before: this.#read, dueAt, failures: 0 };
  }

  async #work(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      // Whoever wrote an event has mostly done what follows long before its grace is over. What is done is let go at
      // once: a sweep writes faster than graces end, and reading on would wait until nobody knows any more what is done.
      this.#tasks = this.#tasks.filter(({ id }) => !this.policies.isHandled(id));
      const due = this.#tasks.filter(({ dueAt }) => dueAt <= performance.now());
      await manyAtOnce(due, async (task) => {
        if (!this.#stopping.signal.aborted) await this.#attempt(task);
      });
      await this.#remember();
      await this.#pause(LOOK_EVERY_MS);
    }
    await this.#remember();
  }

  /** One that fails waits for its next try and does not hold up the others. */
  async #attempt(task: Task): Promise<void> {
    try {
      await this.#handle(task);
      this.#tasks.splice(this.#tasks.indexOf(task), 1);
    } catch (err) {
      const pause = Math.min(this.times.firstRetryMs * 2 ** task.failures, this.times.longestRetryMs);
      task.failures += 1;
      task.dueAt = performance.now() + pause;
      this.log.warn({ err, event: task.id }, 'a policy failed and is tried again');
    }
  }

  async #handle({ stream, revision, id }: Task): Promise<void> {
    if (this.policies.isHandled(id)) return;
    for await (const event of this.store.readStream(stream, { from: revision, limit: 1 })) {
      if (event.id === id) await this.policies.handle([event]);
    }
  }

  /** Up to the first event that is not finished. */
  async #remember(): Promise<void> {
    const [oldest] = this.#tasks;
    const done = oldest ? oldest.before : this.#read;
    if (!done || done === this.#saved) return;
    try {
      await this.checkpoint.save(done, await this.store.identity());
      this.#saved = done;
    } catch (err) {
      this.log.warn({ err }, 'the policy worker could not save its checkpoint');
    }
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}

/** Does the work on every item, many at once, those of one stream one after the other. */
async function manyAtOnce<Item extends { readonly stream: string }>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const last = new Map<string, Promise<void>>();
  await forEachConcurrent(items, AT_ONCE, async (item) => {
    const mine = (last.get(item.stream) ?? Promise.resolve()).then(() => work(item));
    last.set(item.stream, mine);
    await mine.finally(() => {
      if (last.get(item.stream) === mine) last.delete(item.stream);
    });
  });
}
