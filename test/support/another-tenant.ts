import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { RegisterOrganization } from '../../src/organization/commands/create-organization.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Service } from '../../src/service.js';
import type { TestApp } from './app.js';

/** Creates a second organization in the same service, with an agent that sends its key. */
export async function anotherTenant({ service, url }: TestApp): Promise<{ org: Uuid; request: TestAgent }> {
  const { org, key } = await newTenant(service);
  return { org, request: request.agent(url).set('X-API-KEY', key) };
}

export interface Tenant {
  readonly org: Uuid;
  readonly key: string;
  readonly keyName: string;
}

/** Creates an organization with an admin key. */
export async function newTenant({ app }: Service, name = 'Another'): Promise<Tenant> {
  const commandId = randomUUID();
  const context = { org: commandId, commandId, correlationId: 'test', actor: 'system' };
  const made = await app.get(CommandBus).execute(new RegisterOrganization(context, { name }));
  return { org: made.org, key: made.adminKey.key!, keyName: made.adminKey.apiKey.name };
}
