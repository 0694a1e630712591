import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsCurrencyCode, IsTimezone } from '../../platform/http/validation/validators.js';
import type { Settings } from '../domain/events.js';
import { Trimmed } from './document-settings.body.js';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { describeUnreadable } from '../../platform/eventsourcing/store/store-down.js';
import { Ctx, RequireScope } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf, type WireOf } from '../../platform/http/openapi/schema.js';
import { Page, type QueryParams, RawQuery } from '../../platform/http/query/query-params.js';
import { RegisterOrganization } from '../commands/create-organization.js';
import { ListOrganizations, type ListedOrganization } from '../queries/list-organizations.js';
import { presentNew } from './api-keys.controller.js';
import { LISTED_ORGANIZATION, NEW_ORGANIZATION } from './organization-schema.js';

/** Body of `POST /api/organizations/`. The holder of the organization's key can change all settings later. */
export class CreateOrganizationBody {
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(200) organization_name!: string;
  @IsOptional() @IsCurrencyCode() default_currency_code?: string;
  @IsOptional() @IsTimezone() timezone?: string;
}

const toSettings = (body: CreateOrganizationBody): Pick<Settings, 'name'> & Partial<Settings> => ({
  name: body.organization_name,
  ...(body.default_currency_code ? { defaultCurrency: body.default_currency_code } : {}),
  ...(body.timezone ? { timezone: body.timezone } : {}),
});

const PAGE = { page: (q: QueryParams) => q.page({ default: 100, max: 1000 }) };

/** Operations for the operator of the service, who holds the BOOTSTRAP_KEY. */
@Controller('api/organizations')
@RequireScope('bootstrap')
export class OrganizationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation({
    summary: 'Lists the organizations in the order of creation.',
    answer: listOf(LISTED_ORGANIZATION),
    query: PAGE,
  })
  async listOrganizations(@RawQuery() query: QueryParams) {
    const { rows, nextCursor } = await this.queries.execute(new ListOrganizations(PAGE.page(query)));
    return new Page(rows.map(presentListed), nextCursor);
  }

  /** Only this answer contains the text of the key; a repeat under the same Idempotency-Key has null. */
  @Post()
  @Operation({
    summary: 'Creates an organization and its first admin key, and shows the key this once.',
    answer: NEW_ORGANIZATION,
    body: CreateOrganizationBody,
  })
  async createOrganization(@Ctx() context: CommandContext, @Body() body: CreateOrganizationBody) {
    const made = await this.commands.execute(new RegisterOrganization(context, toSettings(body)));
    return {
      ...present(made.org, made.settings),
      created_at: formatInstant(made.adminKey.apiKey.created_at),
      admin_key: presentNew(made.adminKey),
    };
  }
}

/** @throws the error of a store that is down */
function presentListed(row: ListedOrganization): WireOf<typeof LISTED_ORGANIZATION> {
  const created_at = formatInstant(row.createdAt);
  if (!('unreadable' in row)) return { ...present(row.org, row.settings), created_at, unreadable: null };
  return {
    organization_id: toWireId('org', row.org),
    organization_name: null,
    default_currency_code: null,
    timezone: null,
    created_at,
    unreadable: describeUnreadable(row.unreadable),
  };
}

const present = (org: Uuid, { name, defaultCurrency, timezone }: Settings) => ({
  organization_id: toWireId('org', org),
  organization_name: name,
  default_currency_code: defaultCurrency,
  timezone,
});
