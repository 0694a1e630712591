import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { streamName } from '../../kernel/event.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { CustomerEvent } from '../domain/events.js';

export interface Erasure {
  readonly org: Uuid;
  readonly customerKey: Uuid;
  /** Null while the key is destroyed and the event is not recorded yet. */
  readonly erasedAt: Instant | null;
}

const PAGE = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Lists the customers of all organizations whose key was destroyed. */
@Injectable()
export class Erasures {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async *all(): AsyncGenerator<Erasure> {
    let after = { org: BEFORE_ALL, customer_key: BEFORE_ALL };
    for (;;) {
      const { rows } = await this.database.pool.query<typeof after>(
        `select org, customer_key from customer_keys
          where wrapped_key is null and (org, customer_key) > ($1::uuid, $2::uuid)
          order by org, customer_key limit ${PAGE}`,
        [after.org, after.customer_key],
      );
      for (const { org, customer_key: customerKey } of rows)
        yield { org, customerKey, erasedAt: await this.erasedAt(org, customerKey) };
      if (rows.length < PAGE) return;
      after = rows.at(-1)!;
    }
  }

  private async erasedAt(org: Uuid, customerKey: Uuid): Promise<Instant | null> {
    const stream = streamName('customer', org, customerKey);
    for await (const event of this.store.readStream(stream, { direction: 'backwards' })) {
      const { type, data } = event as unknown as CustomerEvent;
      if (type === 'CustomerErased') return data.erasedAt;
    }
    return null;
  }
}
