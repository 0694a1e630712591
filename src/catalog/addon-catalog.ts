import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { streamName } from '../kernel/event.js';
import {
  orgOfScope,
  sessionOf,
  type ReadScope,
} from '../platform/eventsourcing/command-runner/command-context.js';
import { readState, rememberedState } from '../platform/eventsourcing/command-runner/stream-state-cache.js';
import { Database } from '../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { addonDecider } from './domain/addon.js';
import type { Addon } from './domain/addon-version.js';
import { ReadModelCatchUp } from '../platform/eventsourcing/read-model-catch-up.js';
import type { AddonRow } from './read-models.js';

/** Reads add-ons for other modules, from the log. */
@Injectable()
export class AddonCatalog {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly database: Database,
    private readonly catchUp: ReadModelCatchUp,
  ) {}

  /** Returns a catalog that reads another view of the log. */
  withStore(store: EventStore): AddonCatalog {
    return new AddonCatalog(store, this.database, this.catchUp);
  }

  /** @throws StoreUnavailable */
  async load(scope: ReadScope, addonId: Uuid): Promise<Addon | undefined> {
    const stream = streamName('addon', orgOfScope(scope), addonId);
    return (await readState(this.store, stream, addonDecider, undefined, sessionOf(scope))).state;
  }

  /** Returns an add-on for its prices, which never change: one that is remembered is not read again. @throws StoreUnavailable */
  async sold(org: Uuid, addonId: Uuid): Promise<Addon | undefined> {
    const known = rememberedState(this.store, streamName('addon', org, addonId), addonDecider);
    return known?.state ?? this.load(org, addonId);
  }

  /** Returns the add-on of a version. @throws DomainError `unavailable` when the read model does not catch up in time */
  async ofVersion(scope: ReadScope, versionId: Uuid): Promise<Addon | undefined> {
    const org = orgOfScope(scope);
    const addonId = await this.catchUp.find(() => this.locate(org, versionId));
    return addonId === undefined ? undefined : this.load(scope, addonId);
  }

  private async locate(org: Uuid, versionId: Uuid): Promise<Uuid | undefined> {
    const row = await this.database.db
      .withTables<{ addons: AddonRow }>()
      .selectFrom('addons')
      .select('addon_id')
      .where('org', '=', org)
      .where('version_id', '=', versionId)
      .executeTakeFirst();
    return row?.addon_id;
  }
}
