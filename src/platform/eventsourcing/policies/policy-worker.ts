import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { groupBy } from '../../../kernel/iteration.js';
import { comparePositions, orgOfStream, type Position, type RecordedEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import { FairShare, forEachConcurrent } from '../../concurrency/limits.js';
import { POLICY_GRACE_MS } from '../command-runner/command-context.js';
import type { EventStore } from '../store/event-store.js';
import type { Logger } from '../../telemetry/logger.js';
import type { PolicyCheckpoint } from './policy-checkpoint.js';
import { earliest, PolicyTasks, type Task } from './policy-tasks.js';
import type { Policies } from './policies.js';

export interface WorkerTimes {
  /** Time that the process of a command has to run the policies before the worker runs them. */
  readonly graceMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** Time after which a task that has not ended counts as failed. It may still end. */
  readonly patienceMs: number;
}

const TIMES: WorkerTimes = {
  graceMs: POLICY_GRACE_MS,
  firstRetryMs: 1_000,
  longestRetryMs: 60_000,
  patienceMs: 300_000,
};

/** Events of one read; then postponed ones are read again. */
const READ_AT_ONCE = 5_000;
const READ_EVERY_MS = 250;
/** Concurrent tasks, as an append may take long. */
const AT_ONCE = 64;
/** Time that due tasks wait for a slot before they are due again. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Runs the policies of events whose process died before it ran them (docs/architecture.md#policies). A policy may run
 * twice: in two processes, or again after a restart.
 */
export class PolicyWorker {
  readonly #tasks = new PolicyTasks();
  /** Shares the concurrent tasks among organizations, as a policy that does not end keeps its slot until patience ends. */
  readonly #share = new FairShare({
    slots: AT_ONCE,
    waitMs: LONGEST_WAIT_MS,
    mostWaiting: Infinity,
    refusal: 'The policies of the organization wait for one another.',
  });
  /** Streams whose due tasks run or wait for a slot. */
  readonly #busy = new Map<string, Promise<void>>();
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

  /** Finishes the policies under way, as long as patience lasts, and saves the checkpoint. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /**
   * Runs all policies that are not known to have run.
   * @param org organization whose events they handle; all organizations without it
   */
  async catchUp(org?: Uuid): Promise<void> {
    const isOwn = (of: Uuid) => !org || of === org;
    // Tasks up to the read position, and events that were postponed; later events are read from the log.
    const listed = this.#tasks.all.filter(({ stream }) => isOwn(orgOfStream(stream)));
    const postponed = new Map([...this.#tasks.postponed].filter(([of]) => isOwn(of)));
    const read = this.#read ?? (await this.#begin());
    await forEachByStream(listed, (task) => this.#handle(task));
    await forEachByStream(this.store.readAll(earliest([read, ...postponed.values()])), async (event) => {
      const of = orgOfStream(event.stream);
      const known = postponed.has(of) ? postponed.get(of) : read;
      const isLater = !known || comparePositions(event.position, known) > 0;
      if (isLater && isOwn(of) && this.policies.has(event.type)) await this.policies.handle([event]);
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
        await this.#readOn();
        await this.#readPostponed();
        await this.#pause(READ_EVERY_MS);
      } catch (err) {
        this.log.warn({ err }, 'The policy worker cannot read the log and tries again.');
        await this.#pause(this.times.firstRetryMs);
      }
    }
  }

  async #readOn(): Promise<void> {
    for await (const event of this.store.readAll(this.#read, READ_AT_ONCE)) {
      if (this.#stopping.signal.aborted) return;
      if (this.#isOpen(event)) this.#tasks.add(event, this.#read, this.#dueAt());
      this.#read = event.position;
    }
  }

  /** Reads the events of postponed organizations again that have room for tasks. */
  async #readPostponed(): Promise<void> {
    const resumed = this.#tasks.resumable();
    if (resumed.size === 0) return;
    const from = [...resumed].map((org) => this.#tasks.postponed.get(org));
    let before = earliest(from);
    for await (const event of this.store.readAll(before)) {
      if (this.#stopping.signal.aborted) return;
      if (comparePositions(event.position, this.#read!) > 0) break;
      const org = orgOfStream(event.stream);
      const isListed =
        !resumed.has(org) || this.#tasks.resume(event, before, this.#dueAt(), this.#isOpen(event));
      if (!isListed) resumed.delete(org);
      if (resumed.size === 0) return;
      before = event.position;
    }
    this.#tasks.caughtUp(resumed);
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

  #dueAt(): number {
    return performance.now() + this.times.graceMs;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    setMaxListeners(0, signal);
    while (!signal.aborted) {
      // Drop tasks that this process has handled, at once: a sweep appends faster than grace times end, and a full list
      // would postpone events until `isHandled` has forgotten them.
      this.#tasks.removeWhere(({ id }) => this.policies.isHandled(id));
      const due = this.#tasks.all.filter(({ dueAt }) => dueAt <= performance.now());
      for (const [stream, tasks] of groupBy(due, (task) => task.stream)) {
        if (this.#busy.has(stream)) continue;
        this.#busy.set(
          stream,
          this.#attemptInOrder(stream, tasks).finally(() => this.#busy.delete(stream)),
        );
      }
      await this.#saveCheckpoint();
      await this.#pause(READ_EVERY_MS);
    }
    await Promise.all(this.#busy.values());
    await this.#saveCheckpoint();
  }

  /** Runs tasks of one stream in order, each in a slot of its organization. Tasks that get none stay due. */
  async #attemptInOrder(stream: string, tasks: readonly Task[]): Promise<void> {
    const { signal } = this.#stopping;
    try {
      for (const task of tasks) {
        await this.#share.run(orgOfStream(stream), signal, () => this.#attempt(task));
      }
    } catch {
      // The worker stops, or others of the organization have kept all of its slots.
    }
  }

  /** Runs a task; a failed task waits for its next attempt without delaying others. */
  async #attempt(task: Task): Promise<void> {
    try {
      await within(this.times.patienceMs, this.#handle(task));
      this.#tasks.remove(task);
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
    const done = this.#tasks.finishedUpTo(this.#read);
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

/** Waits for work, which goes on where it takes longer. @throws Error if it takes longer, and what the work throws */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  const limit = sleep(ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`The policy has not ended within ${ms} ms.`);
  });
  await Promise.race([work, limit]).finally(() => ended.abort());
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
