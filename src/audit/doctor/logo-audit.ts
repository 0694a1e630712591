import { Inject, Injectable } from '@nestjs/common';
import { orgOfStream, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { SettingsEvent } from '../../organization/domain/events.js';
import { SETTINGS } from '../../organization/domain/organization.js';
import { LogoStore } from '../../organization/logos/logo-store.js';
import { EVENT_STORE, type EventStore, streamsOf } from '../../platform/eventsourcing/store/event-store.js';

/** Compares stored logos with their digests, which events of settings record. */
@Injectable()
export class LogoAudit {
  constructor(
    private readonly logos: LogoStore,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Returns sentences for an auditor. Reads the events first, as a logo is stored before its event. */
  async differences(): Promise<string[]> {
    const missing = await this.recorded();
    const altered: string[] = [];
    for (const { org, digest, isOwn } of await this.logos.all()) {
      const logo = nameOf(org, digest);
      missing.delete(logo);
      if (!isOwn) altered.push(`${logo} has other bytes in the table`);
    }
    return [...[...missing].map((logo) => `${logo} is in the log and not in the table`), ...altered];
  }

  /** Returns the logos that events name. */
  private async recorded(): Promise<Set<string>> {
    const logos = new Set<string>();
    for await (const stream of streamsOf(this.store, 'organization')) {
      const org = orgOfStream(stream);
      if (stream !== streamName('organization', org, SETTINGS)) continue;
      for await (const event of this.store.readStream(stream)) {
        const { type, data } = event as unknown as SettingsEvent;
        const { logo } = type === 'OrganizationCreated' ? data.settings : data.changes;
        if (logo) logos.add(nameOf(org, logo.digest));
      }
    }
    return logos;
  }
}

const nameOf = (org: Uuid, digest: string): string => `logo ${digest} of organization ${org}`;
