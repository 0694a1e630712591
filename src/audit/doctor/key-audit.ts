import { Inject, Injectable } from '@nestjs/common';
import { lastingDifferences } from './lasting-differences.js';
import type { Uuid } from '../../kernel/ids.js';
import { orgOfStream, streamName } from '../../kernel/event.js';
import { KeyRecords, type KeyRecord } from '../../organization/api-keys/key-records.js';
import { apiKeysDecider, KEYS, type RecordedApiKeys } from '../../organization/domain/api-keys.js';
import {
  EVENT_STORE,
  type EventStore,
  foldStream,
  streamsOf,
} from '../../platform/eventsourcing/store/event-store.js';

const FIELDS = ['prefix', 'name', 'scope', 'expiresAt', 'digest'] as const;

/** Compares the table of API keys with the events of keys. */
@Injectable()
export class KeyAudit {
  constructor(
    private readonly records: KeyRecords,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Returns sentences for an auditor. A difference counts when it still exists after a while. */
  differences(patienceMs?: number): Promise<string[]> {
    return lastingDifferences(() => this.compare(), patienceMs);
  }

  private async compare(): Promise<string[]> {
    const found: string[] = [];
    const byOrg = await this.records.all();
    for (const org of new Set([...byOrg.keys(), ...(await this.recordedOrgs())])) {
      const { state } = await foldStream(this.store, streamName('organization', org, KEYS), apiKeysDecider);
      found.push(...differencesOf(org, byOrg.get(org) ?? [], state));
    }
    return found;
  }

  /** Returns the organizations that have events of keys: the table may have no key of one. */
  private async recordedOrgs(): Promise<Uuid[]> {
    const orgs: Uuid[] = [];
    for await (const stream of streamsOf(this.store, 'organization')) {
      const org = orgOfStream(stream);
      if (stream === streamName('organization', org, KEYS)) orgs.push(org);
    }
    return orgs;
  }
}

function differencesOf(org: Uuid, rows: readonly KeyRecord[], recorded: RecordedApiKeys): string[] {
  const of = (prefix: string): string => `key ${prefix} of organization ${org}`;
  const inTable = new Set(rows.map(({ keyId }) => keyId));
  const missing = [...recorded.values()].flatMap(({ created, isRevoked }) =>
    created && !isRevoked && !inTable.has(created.keyId)
      ? [`${of(created.prefix)} is in the log and not in the table`]
      : [],
  );
  const differing = rows.flatMap((row) => {
    const key = recorded.get(row.keyId);
    const isUsable = key?.created !== undefined && !key.isRevoked;
    if (row.isRevoked)
      return isUsable ? [`${of(row.prefix)} is revoked in the table and not in the log`] : [];
    if (!key?.created) return [`${of(row.prefix)} is in the table and no event created it`];
    if (key.isRevoked) return [`${of(row.prefix)} is revoked in the log and not in the table`];
    const changed = FIELDS.filter((field) => row[field] !== key.created![field]).map(
      (field) => `${of(row.prefix)} differs from the event that created it: ${WORDS[field]}`,
    );
    // The seal covers the changed fields, so it is named only where nothing else is.
    if (changed.length > 0 || !row.hasForeignSeal) return changed;
    return [`${of(row.prefix)} has a seal that the service did not write, and is refused: set it to null`];
  });
  return [...missing, ...differing];
}

const WORDS = {
  prefix: 'its prefix',
  name: 'its name',
  scope: 'its scope',
  expiresAt: 'its expiry',
  digest: 'the key itself',
};
