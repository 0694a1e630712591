import { Inject, Injectable } from '@nestjs/common';
import type { CustomerEvent } from '../../customer/domain/events.js';
import type { PersonalData } from '../../customer/domain/personal-data.js';
import { streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { groupBy } from '../../kernel/iteration.js';
import { STORED_EVENTS, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { Vault } from '../../platform/privacy/vault.js';
import type { BundledInvoice } from './evidence-selection.js';

/** Discloses the personal data of customers as invoices name it: each record with its own key, and no other. */
@Injectable()
export class PersonalDataLines {
  constructor(
    @Inject(STORED_EVENTS) private readonly store: EventStore,
    private readonly vault: Vault,
  ) {}

  /** Yields the lines of a part, in the order of its customers; none of customers that were erased. */
  async *of(org: Uuid, invoices: readonly BundledInvoice[]): AsyncGenerator<object> {
    for (const [customerKey, named] of groupBy(invoices, ({ computed }) => computed.customerKey)) {
      const revisions = named.map(({ computed }) => Number(computed.inputs.customerRevision));
      const stream = streamName('customer', org, customerKey);
      for (const { revision, sealed } of await this.recordsAt(stream, revisions)) {
        const disclosed = await this.vault.disclose<PersonalData>(org, customerKey, sealed);
        if (!disclosed) continue;
        const { data, key } = disclosed;
        yield { key: key?.toString('base64') ?? null, personal_data: data, revision, stream };
      }
    }
  }

  /** Reads the records that a customer had at these revisions, each once. */
  private async recordsAt(stream: string, revisions: readonly number[]) {
    const records = new Map<number, string>();
    let current: { readonly revision: number; readonly sealed: string } | undefined;
    const left = [...revisions].sort((a, b) => a - b);
    const take = (before: number): void => {
      for (; left.length > 0 && left[0]! < before; left.shift()) {
        if (current) records.set(current.revision, current.sealed);
      }
    };
    for await (const event of this.store.readStream(stream)) {
      const revision = Number(event.revision);
      take(revision);
      if (left.length === 0) break;
      const { type, data } = event as unknown as CustomerEvent;
      if (type === 'CustomerRegistered' || type === 'CustomerDetailsChanged') {
        current = { revision, sealed: data.sealed };
      }
    }
    take(Infinity);
    return [...records].map(([revision, sealed]) => ({ revision, sealed }));
  }
}
