import type { PoolClient } from 'pg';
import { type RecordedEvent, streamName } from '../kernel/event.js';
import type { Uuid } from '../kernel/ids.js';
import type { EventStore } from '../platform/eventsourcing/store/event-store.js';
import { endpointStreamId } from './domain/endpoint.js';

/**
 * Enqueues events that the read model lists late: endpoints have passed their positions. Each endpoint gets those after its
 * creation, each once, behind what is queued already.
 * @param client transaction that has added them to the read model
 * @param missed events of one organization
 */
export async function enqueueMissed(
  client: Pick<PoolClient, 'query'>,
  store: Pick<EventStore, 'readStream'>,
  missed: readonly RecordedEvent[],
): Promise<void> {
  const { org } = missed[0]!.metadata;
  const { rows } = await client.query<{ id: Uuid }>(
    'select id from webhook_endpoints where org = $1 and recorded is not false',
    [org],
  );
  for (const { id } of rows) {
    const stream = streamName('organization', org, endpointStreamId(id));
    for await (const { position } of store.readStream(stream, { limit: 1 })) {
      await client.query(
        `insert into webhook_deliveries (endpoint_id, event_id, trigger, commit, prepare)
          select e.id, v.event_id, v.trigger, v.commit, v.prepare
          from webhook_endpoints e join webhook_events v on v.org = e.org and v.trigger = any(e.triggers)
          where e.id = $1 and v.event_id = any($2::uuid[]) and (v.commit, v.prepare) > ($3::bigint, $4::bigint)
          order by v.commit, v.prepare on conflict do nothing`,
        [id, missed.map((event) => event.id), position.commit, position.prepare],
      );
    }
  }
}
