import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { streamName } from '../kernel/stream.js';
import { readState } from '../platform/eventsourcing/command-runner/read-stream.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import type { Settings } from './domain/events.js';
import { organization, SETTINGS } from './domain/organization.js';

export interface ReadOrganization {
  readonly settings: Settings;
  readonly revision: bigint;
}

/** Loads the settings of an organization from the log, now or at a revision. */
@Injectable()
export class OrganizationReader {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @throws StoreUnavailable */
  async load(org: Uuid, upTo?: bigint): Promise<ReadOrganization | undefined> {
    const stream = streamName('organization', org, SETTINGS);
    const { state, revision } = await readState(this.store, stream, organization, upTo);
    return state && revision !== undefined ? { settings: state, revision } : undefined;
  }
}
