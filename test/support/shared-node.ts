import { PROJECTIONS } from '../../projections/registry.js';
import { liveBuild, moveCheckpoints } from '../../projections/runtime/checkpoint.js';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { PolicyCheckpoint } from '../../src/platform/eventsourcing/policies/policy-checkpoint.js';
import { createPool } from '../../src/platform/database/pg-pool.js';
import { EventStoreDbEventStore } from '../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import type { Service } from '../../src/service.js';
import { FIRST_SETTINGS } from '../../src/organization/domain/organization.js';
import { newTenant } from './another-tenant.js';

interface Tenant {
  readonly org: Uuid;
  readonly key: string;
  readonly keyName: string;
}

/** By database: a service that is started again serves the same one. */
const tenants = new Map<string, Tenant>();

/** What a test has for itself on a node that all tests share. */
export async function tenantOf(databaseUrl: string, service: Service): Promise<Tenant> {
  const tenant = tenants.get(databaseUrl) ?? (await newTenant(service, FIRST_SETTINGS.name));
  tenants.set(databaseUrl, tenant);
  return tenant;
}

/**
 * The log of a shared node is there already and stays. A new database follows it from its end on: a test sees what
 * happens in it, and no clock of another test.
 */
export async function beginAtHead(databaseUrl: string, eventStoreUrl: string): Promise<void> {
  if (tenants.has(databaseUrl)) return;
  const pool = createPool(databaseUrl, () => undefined, 1);
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
