import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { BEFORE_ALL, comparePositions, type Position, orgOfStream } from '../kernel/event.js';
import type { Uuid } from '../kernel/ids.js';
import { Database, inTransaction } from '../platform/database/open-database.js';
import {
  approximateSize,
  STORED_EVENTS,
  type EventStore,
} from '../platform/eventsourcing/store/event-store.js';
import { TreeWriter } from './tree-writer.js';

/** Number of events that one transaction appends while requests are answered: some five milliseconds of work. */
const FOLLOWED_AT_ONCE = 500;
/** Number of events that one transaction appends for a caller who waits for all. */
const CAUGHT_UP_AT_ONCE = 2_000;
/** Characters of the events appended in one turn of the event loop: some two milliseconds, in which requests wait. */
const IN_A_TURN = 100_000;

/** The trees cannot follow the log. The message says what is wrong, then what to do. */
export class TreeMismatch extends Error {
  override readonly name = 'TreeMismatch';
}

export interface FollowedBatch {
  readonly events: number;
  /** Tells whether the trees contain everything that the log had. */
  readonly isLevel: boolean;
}

const NOTHING: FollowedBatch = { events: 0, isLevel: true };

/**
 * Lets the trees follow the event log. Each step is one transaction that begins at the recorded position and
 * advances it: a process that dies in between has done nothing, and of several processes one works at a time.
 */
@Injectable()
export class Trees {
  constructor(
    private readonly database: Database,
    @Inject(STORED_EVENTS) private readonly events: EventStore,
  ) {}

  /**
   * Appends the next events; does nothing while another process does.
   * @throws TreeMismatch, StoreUnavailable
   */
  async follow(): Promise<FollowedBatch> {
    return (
      (await this.step('skip locked', (client, position) =>
        this.appendNext(client, position, FOLLOWED_AT_ONCE),
      )) ?? NOTHING
    );
  }

  /**
   * Appends all events of the log.
   * @throws TreeMismatch, StoreUnavailable
   */
  async catchUp(): Promise<void> {
    for (;;) {
      const followed = await this.step('', (client, position) =>
        this.appendNext(client, position, CAUGHT_UP_AT_ONCE),
      );
      if (!followed || followed.isLevel) return;
    }
  }

  /**
   * Appends the sealed usage batches of an organization up to a number.
   * @throws TreeMismatch
   */
  async appendBatches(org: Uuid, upTo: number): Promise<void> {
    for (let last = 0; last < upTo;) {
      const taken = await this.step('', async (client, position) => {
        const writer = new TreeWriter(client);
        const reached = await writer.appendBatches(org, upTo, position);
        await writer.flush();
        return reached;
      });
      if (taken === undefined || taken === last) return;
      last = taken;
    }
  }

  /** Builds all trees again from the log, the usage and the recorded leaves of batches. */
  async rebuild(): Promise<void> {
    await this.step('', async (client) => {
      await client.query('delete from transparency_tiles');
      await client.query('delete from transparency_trees');
      await this.move(client, BEFORE_ALL);
    });
    await this.catchUp();
    await this.step('', async (client, position) => {
      const { rows } = await client.query<{ org: Uuid }>(
        `select distinct b.org from transparency_batches b left join transparency_trees t using (org)
          where b.leaf >= coalesce(t.size, 0)`,
      );
      const writer = new TreeWriter(client);
      for (const { org } of rows) await writer.appendRecordedBatches(org, position);
      await writer.flush();
    });
  }

  private async appendNext(client: PoolClient, position: Position, most: number): Promise<FollowedBatch> {
    const writer = new TreeWriter(client);
    let [events, characters] = [0, 0];
    let last = position;
    const after = comparePositions(position, BEFORE_ALL) === 0 ? undefined : position;
    for await (const event of this.events.readAll(after, most)) {
      const org = orgOfStream(event.stream);
      await writer.appendEvent(org, event);
      last = event.position;
      events += 1;
      characters += approximateSize(event.data);
      if (characters < IN_A_TURN) continue;
      await nextTurn();
      characters = 0;
    }
    if (events > 0) {
      await writer.flush();
      await this.move(client, last);
    } else {
      const head = await this.events.head();
      if (after && (!head || comparePositions(head, after) < 0)) throw new TreeMismatch(LOG_IS_SHORTER);
    }
    return { events, isLevel: events < most };
  }

  private async move(client: PoolClient, { commit, prepare }: Position): Promise<void> {
    await client.query({
      name: 'transparency-move',
      text: 'update transparency_progress set commit = $1, prepare = $2, moved_at = now()',
      values: [commit, prepare],
    });
  }

  /**
   * @returns undefined when the log is empty, or another process is at work and the caller does not wait
   *   for it
   */
  private async step<T>(
    lock: 'skip locked' | '',
    work: (client: PoolClient, position: Position) => Promise<T>,
  ): Promise<T | undefined> {
    const store = await this.events.identity();
    if (store === undefined) return undefined;
    return inTransaction(this.database.pool, async (client) => {
      let row = await lockedProgress(client, lock);
      if (!row) {
        await client.query(
          `insert into transparency_progress (store, commit, prepare)
            select $1, $2, $3 where not exists (select from transparency_progress) on conflict do nothing`,
          [store, BEFORE_ALL.commit, BEFORE_ALL.prepare],
        );
        // One of the processes that begin at once inserts the row, and the others wait for it.
        row = await lockedProgress(client, lock);
      }
      if (!row) return undefined;
      if (row.store !== store) throw new TreeMismatch(ANOTHER_STORE);
      return work(client, { commit: BigInt(row.commit), prepare: BigInt(row.prepare) });
    });
  }
}

interface ProgressRow {
  readonly store: Uuid;
  readonly commit: string;
  readonly prepare: string;
}

async function lockedProgress(
  client: PoolClient,
  lock: 'skip locked' | '',
): Promise<ProgressRow | undefined> {
  const { rows } = await client.query<ProgressRow>({
    name: `transparency-progress ${lock}`,
    text: `select store, commit, prepare from transparency_progress for update ${lock}`,
  });
  return rows[0];
}

const LOG_IS_SHORTER =
  'The event log ends before the events that the trees hold. Restore the log together with the database.';
const ANOTHER_STORE =
  'The trees follow another event store than the one that is connected. Connect the store that they belong to.';
