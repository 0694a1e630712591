import { setTimeout as sleep } from 'node:timers/promises';
import { comparePositions, orgOfStream, type Position, type RecordedEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import { forEachConcurrent } from '../../concurrency/limits.js';
import { POLICY_GRACE_MS } from '../command-runner/command-context.js';
import type { EventStore } from '../store/event-store.js';
import type { Logger } from '../../telemetry/logger.js';
import type { PolicyCheckpoint } from './policy-checkpoint.js';
import type { Policies } from './policies.js';

/** An event whose policies may not have run; it is read again when it is due. */
interface Task {
  readonly id: Uuid;
  readonly stream: string;
  readonly revision: bigint;
  /** Position of the event before, which is the checkpoint once all earlier tasks are done. */
  readonly before: Position | undefined;
  dueAt: number;
  failures: number;
}

export interface WorkerTimes {
  /** Time that the process of a command has to run the policies before the worker runs them. */
  readonly graceMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

const TIMES: WorkerTimes = { graceMs: POLICY_GRACE_MS, firstRetryMs: 1_000, longestRetryMs: 60_000 };

/** Limit of tasks in memory; the worker then reads no further events. */
const MAX_TASKS = 5_000;
const READ_EVERY_MS = 250;
/** Concurrent tasks, as an append may take long. */
const AT_ONCE = 64;

/**
 * Runs the policies of events whose process died before it ran them (docs/architecture.md#policies). A policy may run
 * twice: in two processes, or again after a restart.
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

  /**
   * Runs all policies that are not known to have run.
   * @param org organization whose events they handle; all organizations without it
   */
  async catchUp(org?: Uuid): Promise<void> {
    const isOwn = ({ stream }: { readonly stream: string }) => !org || orgOfStream(stream) === org;
    // Tasks up to the read position; later events are read from the log.
    const listed = this.#tasks.filter(isOwn);
    const read = this.#read ?? (await this.#begin());
    await forEachByStream(listed, (task) => this.#handle(task));
    await forEachByStream(this.store.readAll(read), async (event) => {
      if (isOwn(event) && this.policies.has(event.type)) await this.policies.handle([event]);
    });
  }

  /** Reads the log at intervals, as no task is due before its grace time is over. */
  async #readLog(): Promise<void> {
    const { signal } = this.#stopping;
    let resumed = false;
    while (!signal.aborted) {
      try {
        if (!resumed) this.#read = this.#saved = await this.#begin();
        resumed = true;
        const room = MAX_TASKS - this.#tasks.length;
        for await (const event of this.store.readAll(this.#read, room)) {
          if (signal.aborted) return;
          if (this.#isOpen(event)) this.#tasks.push(this.#taskOf(event));
          this.#read = event.position;
        }
        await this.#pause(READ_EVERY_MS);
      } catch (err) {
        this.log.warn({ err }, 'The policy worker cannot read the log and tries again.');
        await this.#pause(this.times.firstRetryMs);
      }
    }
  }

  /**
   * Loads the checkpoint. One beyond the head belongs to a log before its restoration, which is read from the beginning. It
   * is forgotten at once: the log may have grown beyond it by the next start.
   */
  async #begin(): Promise<Position | undefined> {
    const identity = await this.store.identity();
    const saved = await this.checkpoint.load(identity);
    const head = saved && (await this.store.head());
    if (head && comparePositions(saved, head) <= 0) return saved;
    if (saved) await this.checkpoint.forget(identity);
    return undefined;
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
      // Drop tasks that this process has handled, at once: a sweep appends faster than grace times end, and a full list
      // would stop reading until `isHandled` has forgotten the events.
      this.#tasks = this.#tasks.filter(({ id }) => !this.policies.isHandled(id));
      const due = this.#tasks.filter(({ dueAt }) => dueAt <= performance.now());
      await forEachByStream(due, async (task) => {
        if (!this.#stopping.signal.aborted) await this.#attempt(task);
      });
      await this.#saveCheckpoint();
      await this.#pause(READ_EVERY_MS);
    }
    await this.#saveCheckpoint();
  }

  /** Runs a task; a failed task waits for its next attempt without delaying others. */
  async #attempt(task: Task): Promise<void> {
    try {
      await this.#handle(task);
      this.#tasks.splice(this.#tasks.indexOf(task), 1);
    } catch (err) {
      const pause = Math.min(this.times.firstRetryMs * 2 ** task.failures, this.times.longestRetryMs);
      task.failures += 1;
      task.dueAt = performance.now() + pause;
      this.log.warn({ err, event: task.id }, 'A policy failed and is tried again.');
    }
  }

  async #handle({ stream, revision, id }: Task): Promise<void> {
    if (this.policies.isHandled(id)) return;
    for await (const event of this.store.readStream(stream, { from: revision, limit: 1 })) {
      if (event.id === id) await this.policies.handle([event]);
    }
  }

  /** Saves the position before the first unfinished task. */
  async #saveCheckpoint(): Promise<void> {
    const [oldest] = this.#tasks;
    const done = oldest ? oldest.before : this.#read;
    if (!done || done === this.#saved) return;
    try {
      await this.checkpoint.save(done, await this.store.identity());
      this.#saved = done;
    } catch (err) {
      this.log.warn({ err }, 'The policy worker could not save its checkpoint.');
    }
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}

/** Works on items concurrently, but on items of one stream in order. */
async function forEachByStream<Item extends { readonly stream: string }>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const last = new Map<string, Promise<void>>();
  await forEachConcurrent(items, AT_ONCE, async (item) => {
    const running = (last.get(item.stream) ?? Promise.resolve()).then(() => work(item));
    last.set(item.stream, running);
    await running.finally(() => {
      if (last.get(item.stream) === running) last.delete(item.stream);
    });
  });
}
