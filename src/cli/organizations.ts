import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { toWireId, type Uuid } from '../kernel/ids.js';
import { formatInstant } from '../kernel/instant.js';
import type { CreatedApiKey } from '../organization/api-keys/api-keys.js';
import { CreateApiKey } from '../organization/commands/api-keys.js';
import { RegisterOrganization } from '../organization/commands/create-organization.js';
import { type ListedOrganization, ListOrganizations } from '../organization/queries/list-organizations.js';
import { CLOCK, type Clock, ManualClock } from '../platform/clock/clock.js';
import type { CommandContext } from '../platform/eventsourcing/command-runner/command-context.js';
import { describeUnreadable } from '../platform/eventsourcing/store/store-down.js';
import type { Output } from './output.js';

const PAGE = 1_000;

/**
 * Creates an organization and prints its id and its admin key, which is shown only once. It names organizations that have
 * the name already, as an earlier call may have ended before it printed the key.
 */
export async function* createOrganization(
  app: INestApplicationContext,
  name: string,
): AsyncGenerator<Output, boolean> {
  for await (const { org, createdAt, ...read } of organizationsOf(app)) {
    if ('unreadable' in read || read.settings.name !== name) continue;
    const [organization, since] = [toWireId('org', org), formatInstant(createdAt)];
    yield `${organization} has this name since ${since}. If its key was never printed, recount organization add-key --organization ${organization} prints another one.`;
  }
  const context = newContext(randomUUID());
  const { org, adminKey } = await app.get(CommandBus).execute(new RegisterOrganization(context, { name }));
  yield keyOutput(org, adminKey);
  return true;
}

/** Creates an admin key of an organization and prints it, where nobody has the others. */
export async function* addOrganizationKey(
  app: INestApplicationContext,
  org: Uuid,
): AsyncGenerator<Output, boolean> {
  const input = { name: 'Key of the command line', scope: 'admin', expiresAt: null } as const;
  yield keyOutput(org, await app.get(CommandBus).execute(new CreateApiKey(newContext(org), input)));
  return true;
}

function newContext(org: Uuid): CommandContext {
  const commandId = randomUUID();
  return { org, commandId, correlationId: `cli-${commandId}`, actor: 'cli', isFirstDelivery: true };
}

function keyOutput(org: Uuid, { key }: CreatedApiKey): Output {
  const organization = toWireId('org', org);
  return {
    text: `organization ${organization}\nadmin key, shown this once: ${key}`,
    fields: { organization_id: organization, admin_key: key },
  };
}

/** Yields every organization, in the order of creation. */
async function* organizationsOf(app: INestApplicationContext): AsyncGenerator<ListedOrganization> {
  let cursor: string | undefined;
  do {
    const page = new ListOrganizations({ limit: PAGE, cursor });
    const { rows, nextCursor } = await app.get(QueryBus).execute(page);
    yield* rows;
    cursor = nextCursor;
  } while (cursor !== undefined);
}

/**
 * Lists every organization.
 * @returns false where the settings of one cannot be read
 */
export async function* listOrganizations(app: INestApplicationContext): AsyncGenerator<Output, boolean> {
  // Keys are made at the time of the machine, whatever a manual clock shows.
  const clock = app.get<Clock>(CLOCK) instanceof ManualClock ? ', by the clock of the machine' : '';
  let isWell = true;
  for await (const { org, createdAt, ...read } of organizationsOf(app)) {
    const [organization, since] = [toWireId('org', org), formatInstant(createdAt)];
    if ('unreadable' in read) {
      isWell = false;
      const unreadable = describeUnreadable(read.unreadable);
      yield {
        text: `${organization}  since ${since}${clock}  UNREADABLE: ${unreadable}`,
        row: { organization_id: organization, created_at: since, name: null, unreadable },
      };
    } else {
      const { name } = read.settings;
      yield {
        text: `${organization}  since ${since}${clock}  ${JSON.stringify(name)}`,
        row: { organization_id: organization, created_at: since, name },
      };
    }
  }
  return isWell;
}
