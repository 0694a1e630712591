import type { INestApplicationContext } from '@nestjs/common';
import { toWireId, type Uuid } from '../kernel/ids.js';
import { OrganizationReader } from '../organization/organization-reader.js';

/** @throws Error when no organization has this id */
export async function requireOrganization(app: INestApplicationContext, org: Uuid): Promise<void> {
  if (await app.get(OrganizationReader, { strict: false }).load(org)) return;
  throw new Error(`There is no organization ${toWireId('org', org)}. recount organization list prints all.`);
}
