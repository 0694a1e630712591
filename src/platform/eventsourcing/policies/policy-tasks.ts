import { comparePositions, orgOfStream, type Position, type RecordedEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';

/** An event whose policies may not have run; it is read again when it is due. */
export interface Task {
  readonly id: Uuid;
  readonly stream: string;
  readonly revision: bigint;
  /** Position of the event before, which is the checkpoint once all earlier tasks are done. */
  readonly before: Position | undefined;
  dueAt: number;
  failures: number;
}

/** Limit of tasks in memory. */
const MAX_TASKS = 5_000;
/** Tasks that an organization may have in memory whatever others have. */
const LEAST_OF_ORG = 16;

/**
 * Tasks of the policy worker, within a limit. An organization gets a place only while it holds fewer places than are free,
 * so that unfinished tasks of one leave room for those of others. Where it gets none, its events are postponed: the list
 * remembers up to where it has them, and the worker reads the later ones again when the organization has room.
 */
export class PolicyTasks {
  #tasks: Task[] = [];
  readonly #held = new Map<Uuid, number>();
  /** Position up to which the list has the events of an organization that it has postponed; undefined for none of them. */
  readonly #postponed = new Map<Uuid, Position | undefined>();

  get all(): readonly Task[] {
    return this.#tasks;
  }

  get postponed(): ReadonlyMap<Uuid, Position | undefined> {
    return this.#postponed;
  }

  /** Lists an event, or postpones it if its organization has no room. @param before position of the event before */
  add(event: RecordedEvent, before: Position | undefined, dueAt: number): void {
    const org = orgOfStream(event.stream);
    if (this.#postponed.has(org)) return;
    if (this.#hasRoom(org, 1)) this.#list(event, before, dueAt);
    else this.#postponed.set(org, before);
  }

  remove(task: Task): void {
    const index = this.#tasks.indexOf(task);
    if (index === -1) return;
    this.#tasks.splice(index, 1);
    this.#count(task, -1);
  }

  /** Removes tasks that are done, all at once. */
  removeWhere(isDone: (task: Task) => boolean): void {
    const done = this.#tasks.filter(isDone);
    if (done.length === 0) return;
    for (const task of done) this.#count(task, -1);
    const removed = new Set(done);
    this.#tasks = this.#tasks.filter((task) => !removed.has(task));
  }

  /** Returns the postponed organizations that have room for a number of tasks again, as each of them costs a read. */
  resumable(): Set<Uuid> {
    return new Set([...this.#postponed.keys()].filter((org) => this.#hasRoom(org, 2)));
  }

  /**
   * Lists the next event of a postponed organization, read again. Events that the list has already are left out.
   * @param isOpen whether its policies may not have run
   * @returns false when the organization has no more room
   */
  resume(event: RecordedEvent, before: Position | undefined, dueAt: number, isOpen: boolean): boolean {
    const org = orgOfStream(event.stream);
    const listed = this.#postponed.get(org);
    if (listed && comparePositions(event.position, listed) <= 0) return true;
    if (isOpen && !this.#hasRoom(org, 1)) return false;
    if (isOpen) this.#list(event, before, dueAt);
    this.#postponed.set(org, event.position);
    return true;
  }

  /** Notes that the list has all events of organizations that were postponed. */
  caughtUp(orgs: Iterable<Uuid>): void {
    for (const org of orgs) this.#postponed.delete(org);
  }

  /** Returns the position before the first unfinished task. @param read position up to which the log was read */
  finishedUpTo(read: Position | undefined): Position | undefined {
    return earliest([...this.#tasks.map(({ before }) => before), ...this.#postponed.values(), read]);
  }

  /** @param times how often the tasks of the organization must fit into its room */
  #hasRoom(org: Uuid, times: number): boolean {
    const room = Math.max(MAX_TASKS - this.#tasks.length, LEAST_OF_ORG);
    return (this.#held.get(org) ?? 0) * times < room;
  }

  #list({ id, stream, revision }: RecordedEvent, before: Position | undefined, dueAt: number): void {
    const task = { id, stream, revision, before, dueAt, failures: 0 };
    this.#tasks.push(task);
    this.#count(task, 1);
  }

  #count({ stream }: Task, change: 1 | -1): void {
    const org = orgOfStream(stream);
    const held = (this.#held.get(org) ?? 0) + change;
    if (held === 0) this.#held.delete(org);
    else this.#held.set(org, held);
  }
}

/** Returns the earliest position; undefined, which is before the first event, if one of them is undefined. */
export function earliest(positions: readonly (Position | undefined)[]): Position | undefined {
  let first = positions[0];
  for (const one of positions) {
    if (!one) return undefined;
    if (comparePositions(one, first!) < 0) first = one;
  }
  return first;
}
