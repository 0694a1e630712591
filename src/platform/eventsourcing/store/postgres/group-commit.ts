import type { Pool } from 'pg';
import type { RecordedEvent } from '../../../../kernel/event.js';
import { type AppendResult, StoreUnavailable } from '../event-store.js';
import { noteSize } from '../../../memory.js';
import { appendGroup, type AppendOutcome, type PendingAppend } from './append-group.js';

/** Bounds of one group, so that one statement stays a few megabytes. */
const MAX_MEMBERS = 256;
const MAX_BYTES = 4 * 1024 * 1024;

interface Waiting extends PendingAppend {
  readonly settle: (outcome: AppendOutcome) => void;
}

/**
 * Coalesces concurrent appends into groups: while one group is committed the next one collects, so one durable commit
 * serves all waiting appends. An append that comes alone is committed at once.
 */
export class GroupCommit {
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly pool: Pool,
    /** Called after every group that stored something. */
    private readonly committed: (stored: () => readonly RecordedEvent[]) => void,
  ) {}

  append(append: PendingAppend): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closed());
      const settle = (outcome: AppendOutcome): void =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome);
      this.#waiting.push({ settle, ...append });
      this.#running ??= this.#run();
    });
  }

  /** Rejects waiting appends, and waits for the group that is being committed. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const append of this.#waiting.splice(0)) append.settle(closed());
    await this.#running;
  }

  async #run(): Promise<void> {
    do {
      // A turn of the event loop, so that appends of the same turn share the group.
      await new Promise(setImmediate);
      if (this.#waiting.length > 0) await this.#commit(this.#nextGroup());
    } while (this.#waiting.length > 0);
    this.#running = undefined;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const outcomes = await appendGroup(this.pool, group);
    group.forEach((append, i) => append.settle(outcomes[i]!));
    if (outcomes.some((outcome) => !(outcome instanceof Error)))
      this.committed(() => storedOf(group, outcomes));
  }

  /** Takes appends in order of arrival. A second append to a stream, or for a claim, waits: its outcome depends on the first. */
  #nextGroup(): Waiting[] {
    const taken = new Set<string>();
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    let bytes = 0;
    for (const append of this.#waiting) {
      const size = append.events.reduce((sum, event) => sum + event.data.length + event.metadata.length, 0);
      const fits = group.length === 0 || (group.length < MAX_MEMBERS && bytes + size <= MAX_BYTES);
      const wanted = [append.stream, ...claimNames(append)];
      if (fits && !wanted.some((name) => taken.has(name))) {
        bytes += size;
        group.push(append);
      } else {
        later.push(append);
      }
      for (const name of wanted) taken.add(name);
    }
    this.#waiting = later;
    return group;
  }
}

/** Returns the events that a group added to the log, in order, as a read returns them; without repeats. */
const storedOf = (group: readonly PendingAppend[], outcomes: readonly AppendOutcome[]): RecordedEvent[] =>
  group
    .flatMap(({ stream, events }, place) => {
      const outcome = outcomes[place]!;
      if (outcome instanceof Error || outcome.isRepeat) return [];
      return events.map(({ id, type, data: text, metadata }, i): RecordedEvent => {
        const data = JSON.parse(text) as object;
        noteSize(data, text.length);
        const before = BigInt(events.length - 1 - i);
        const commit = outcome.position.commit - before;
        return {
          id,
          stream,
          revision: outcome.revision - before,
          position: { commit, prepare: commit },
          type,
          data,
          metadata: JSON.parse(metadata) as RecordedEvent['metadata'],
        };
      });
    })
    .sort((a, b) => (a.position.commit < b.position.commit ? -1 : 1));

const claimNames = ({ claims: wanted }: PendingAppend): string[] =>
  (wanted?.claims ?? []).map(({ kind, key }) => `${wanted!.org}/${kind}/${key}`);

const closed = (): StoreUnavailable => new StoreUnavailable('the event store is closed');
