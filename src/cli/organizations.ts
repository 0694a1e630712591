import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { toWireId } from '../kernel/ids.js';
import { formatInstant } from '../kernel/instant.js';
import { RegisterOrganization } from '../organization/commands/create-organization.js';
import { ListOrganizations } from '../organization/queries/list-organizations.js';

const PAGE = 1_000;

/** Creates an organization and prints its id and its admin key, which is shown only this once. */
export async function* createOrganization(
  app: INestApplicationContext,
  name: string,
): AsyncGenerator<string, boolean> {
  const commandId = randomUUID();
  const context = {
    org: commandId,
    commandId,
    correlationId: `cli-${commandId}`,
    actor: 'cli',
    isFirstDelivery: true,
  };
  const { org, adminKey } = await app.get(CommandBus).execute(new RegisterOrganization(context, { name }));
  yield `organization ${toWireId('org', org)}`;
  yield `admin key, shown this once: ${adminKey.key}`;
  return true;
}

export async function* listOrganizations(app: INestApplicationContext): AsyncGenerator<string, boolean> {
  let cursor: string | undefined;
  do {
    const page = new ListOrganizations({ limit: PAGE, cursor });
    const { rows, nextCursor } = await app.get(QueryBus).execute(page);
    for (const { org, settings, createdAt } of rows)
      yield `${toWireId('org', org)}  since ${formatInstant(createdAt)}  ${JSON.stringify(settings.name)}`;
    cursor = nextCursor;
  } while (cursor !== undefined);
  return true;
}
