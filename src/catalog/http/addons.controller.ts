import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { Page } from '../../platform/http/query/page.js';
import { RawQuery, QueryParams } from '../../platform/http/query/query-params.js';
import { DefineAddon } from '../commands/define-addon.js';
import { checkVersion } from '../domain/version-proposal.js';
import { FindVersionReferences } from '../queries/find-version-references.js';
import { GetAddon, ListAddons } from '../queries/addons.js';
import { ADDON, presentAddon } from './addon-schema.js';
import { CreateAddonBody, toAddonInput } from './addon.body.js';
import { pathId } from './fields.js';
import { readFields, refuseFaults } from './read-fields.js';
import { outlineOf } from './version-outline.js';

const PAGE = { page: (q: QueryParams) => q.page({ default: 1000, max: 1000 }) };

@Controller('api/addons')
export class AddonsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Operation({ summary: 'Defines an add-on.', answer: ADDON, body: CreateAddonBody })
  async createAddon(@Ctx() context: CommandContext, @Body() raw: object) {
    const { org } = context;
    const read = readFields(CreateAddonBody, raw);
    const outline = outlineOf(org, read.body.initial_version, read.isFaulty);
    const known = await this.queries.execute(new FindVersionReferences(org, outline));
    refuseFaults(read, checkVersion(outline, known));
    return presentAddon(
      await this.commands.execute(new DefineAddon(context, toAddonInput(read.body, known))),
    );
  }

  @Get()
  @Operation({ summary: 'Lists the add-ons.', answer: listOf(ADDON), query: PAGE })
  async listAddons(@Caller() { org }: Caller, @RawQuery() query: QueryParams) {
    const page = PAGE.page(query);
    const { rows, nextCursor } = await this.queries.execute(new ListAddons(org, page));
    return new Page(rows.map(presentAddon), nextCursor);
  }

  @Get(':addon_id')
  @Operation({ summary: 'Returns an add-on.', answer: ADDON })
  async getAddon(@Caller() { org }: Caller, @Param('addon_id') addonId: string) {
    return presentAddon(await this.queries.execute(new GetAddon(org, pathId('addon', addonId))));
  }
}
