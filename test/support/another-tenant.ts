import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { ApiKeys } from '../../src/organization/api-keys/api-keys.js';
import { CreateOrganization } from '../../src/organization/commands/create-organization.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Service } from '../../src/service.js';
import type { TestApp } from './app.js';

/** A second organization in the same service, with an agent that carries its key. */
export async function anotherTenant({ service, url }: TestApp): Promise<{ org: Uuid; request: TestAgent }> {
  const { org, key } = await newTenant(service);
  return { org, request: request.agent(url).set('X-API-KEY', key) };
}

/** An organization and its admin key. */
export async function newTenant({ app }: Service): Promise<{ org: Uuid; key: string }> {
  const org = randomUUID();
  const context = { org, commandId: randomUUID(), correlationId: 'test', actor: 'system' };
  await app.get(CommandBus).execute(new CreateOrganization(context));
  const key = `key-of-${org}`;
  const added = { id: randomUUID(), org, key, name: 'test', scope: 'admin', expiresAt: null } as const;
  await app.get(ApiKeys).add(added);
  return { org, key };
}
