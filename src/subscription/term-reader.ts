import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { streamName } from '../kernel/event.js';
import {
  orgOfScope,
  sessionOf,
  type ReadScope,
} from '../platform/eventsourcing/command-runner/command-context.js';
import { readState, rememberedState } from '../platform/eventsourcing/command-runner/stream-state-cache.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { termDecider } from './domain/term-decider.js';
import type { TermState } from './domain/term-state.js';

export interface ReadTerm {
  readonly state: TermState;
  readonly revision: bigint;
  /** Ids of the commands that appended its events; absent for a term at a revision. */
  readonly commandIds?: ReadonlySet<Uuid> | undefined;
}

/** Loads a term from the log, as it is now or as it was at a revision. */
@Injectable()
export class TermReader {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** Loads a term at a revision or later, without a read where it is remembered. @throws StoreUnavailable */
  async loadFrom(org: Uuid, subscriptionId: Uuid, revision: bigint): Promise<ReadTerm | undefined> {
    const known = rememberedState(this.store, streamName('subscription', org, subscriptionId), termDecider);
    if (!known?.state || known.revision! < revision) return this.load(org, subscriptionId);
    return { state: known.state, revision: known.revision!, commandIds: known.commandIds };
  }

  /** @throws StoreUnavailable */
  async load(scope: ReadScope, subscriptionId: Uuid, upTo?: bigint): Promise<ReadTerm | undefined> {
    const stream = streamName('subscription', orgOfScope(scope), subscriptionId);
    const read = await readState(this.store, stream, termDecider, upTo, sessionOf(scope));
    const { state, revision, commandIds } = read;
    return state && revision !== undefined ? { state, revision, commandIds } : undefined;
  }
}
