import { PROJECTIONS } from '../../projections/registry.js';
import { liveBuild, moveCheckpoints } from '../../projections/runtime/checkpoint.js';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import { PolicyCheckpoint } from '../../src/platform/eventsourcing/policies/policy-checkpoint.js';
import { createPool } from '../../src/platform/database/pg-pool.js';
import type { Service } from '../../src/service.js';
import { FIRST_SETTINGS } from '../../src/organization/domain/organization.js';
import { newTenant, type Tenant } from './another-tenant.js';

/** Tenants by database, so that a restarted service keeps its tenant. */
const tenants = new Map<string, Tenant>();

/** Returns the test's own tenant on a node that all tests share. */
export async function tenantOf(databaseUrl: string, service: Service): Promise<Tenant> {
  const tenant = tenants.get(databaseUrl) ?? (await newTenant(service, FIRST_SETTINGS.name));
  tenants.set(databaseUrl, tenant);
  return tenant;
}

/**
 * Moves the checkpoints of a new database to the end of the shared log, so that a test sees only its own events and
 * clock.
 */
export async function beginAtHead(databaseUrl: string, eventStoreUrl: string): Promise<void> {
  if (tenants.has(databaseUrl)) return;
  const pool = createPool(databaseUrl, () => undefined, 1);
  const { EventStoreDbEventStore } =
    await import('../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js');
  const store = new EventStoreDbEventStore(eventStoreUrl);
  try {
    const [head, identity] = [await store.head(), await store.identity()];
    if (!head) return;
    await createReadModels(pool, PROJECTIONS);
    for (const projection of PROJECTIONS) {
      const { projection: build, checkpoint } = await liveBuild(pool, projection);
      const { position: from, epoch } = checkpoint;
      const move = { projection: build, from, to: head, store: identity, epoch };
      await moveCheckpoints(pool, [move]);
    }
    await new PolicyCheckpoint(pool).save(head, identity);
  } finally {
    await store.close();
    await pool.end();
  }
}
