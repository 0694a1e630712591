import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { toWireId } from '../kernel/ids.js';
import { formatInstant } from '../kernel/instant.js';
import { RegisterOrganization } from '../organization/commands/create-organization.js';
import { ListOrganizations } from '../organization/queries/list-organizations.js';
import { CLOCK, type Clock, ManualClock } from '../platform/clock/clock.js';
import type { Output } from './output.js';

const PAGE = 1_000;

/** Creates an organization and prints its id and its admin key, which is shown only once. */
export async function* createOrganization(
  app: INestApplicationContext,
  name: string,
): AsyncGenerator<Output, boolean> {
  const commandId = randomUUID();
  const context = {
    org: commandId,
    commandId,
    correlationId: `cli-${commandId}`,
    actor: 'cli',
    isFirstDelivery: true,
  };
  const { org, adminKey } = await app.get(CommandBus).execute(new RegisterOrganization(context, { name }));
  const organization = toWireId('org', org);
  yield {
    text: `organization ${organization}\nadmin key, shown this once: ${adminKey.key}`,
    fields: { organization_id: organization, admin_key: adminKey.key },
  };
  return true;
}

export async function* listOrganizations(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  // Keys are made at the time of the machine, whatever a manual clock shows.
  const clock = app.get<Clock>(CLOCK) instanceof ManualClock ? ', by the clock of the machine' : '';
  let cursor: string | undefined;
  do {
    const page = new ListOrganizations({ limit: PAGE, cursor });
    const { rows, nextCursor } = await app.get(QueryBus).execute(page);
    for (const { org, settings, createdAt } of rows) {
      const [organization, since] = [toWireId('org', org), formatInstant(createdAt)];
      yield {
        text: `${organization}  since ${since}${clock}  ${JSON.stringify(settings.name)}`,
        row: { organization_id: organization, created_at: since, name: settings.name },
      };
    }
    cursor = nextCursor;
  } while (cursor !== undefined);
  return true;
}
