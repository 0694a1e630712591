import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { streamName } from '../kernel/event.js';
import {
  orgOfScope,
  type ReadScope,
  sessionOf,
} from '../platform/eventsourcing/command-runner/command-context.js';
import { readState } from '../platform/eventsourcing/command-runner/stream-state-cache.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import type { Settings } from './domain/events.js';
import { organizationDecider, SETTINGS } from './domain/organization.js';
import { EtagLocators } from '../platform/http/etag/etags.js';

export interface ReadOrganization {
  readonly settings: Settings;
  readonly revision: bigint;
}

/** Loads the settings of an organization from the log, now or at a revision. */
@Injectable()
export class OrganizationReader {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @throws StoreUnavailable */
  async load(scope: ReadScope, upTo?: bigint): Promise<ReadOrganization | undefined> {
    const stream = streamName('organization', orgOfScope(scope), SETTINGS);
    const { state, revision } = await readState(
      this.store,
      stream,
      organizationDecider,
      upTo,
      sessionOf(scope),
    );
    return state && revision !== undefined ? { settings: state, revision } : undefined;
  }
}

/** Locates the stream of the settings' ETag. */
@Injectable()
export class SettingsEtagLocator implements OnModuleInit {
  constructor(private readonly streams: EtagLocators) {}

  onModuleInit(): void {
    this.streams.register('/api/organization', (org) => streamName('organization', org, SETTINGS));
  }
}
