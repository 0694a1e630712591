import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { DefineAddon, type DefineAddonInput } from '../commands/define-addon.js';
import { type AddonVersion, BILLING_FREQUENCIES, INVOICE_WHEN } from '../domain/addon-version.js';
import { checkVersion, type VersionReferences } from '../domain/version-proposal.js';
import { IsNested } from '../../platform/http/validation/validators.js';
import { IsName, pathId } from './fields.js';
import { toFeatures, toPrices } from './plan-input.js';
import { PricesBody } from './version.body.js';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { StreamRestrictions } from '../../platform/eventsourcing/stream-restrictions.js';
import { Caller, Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { Page, QueryParams, RawQuery } from '../../platform/http/query/query-params.js';
import { FindVersionReferences } from '../queries/find-version-references.js';
import { GetAddon, ListAddons } from '../queries/addons.js';
import { ADDON, presentAddon } from './addon-schema.js';
import { readFields, refuseFaults } from './read-fields.js';
import { metricStreamsOf, outlineOf } from './version-outline.js';

class AddonVersionBody extends PricesBody {
  @IsOptional() @IsIn(INVOICE_WHEN) invoice_when?: AddonVersion['invoiceWhen'];
  @IsIn(BILLING_FREQUENCIES) billing_frequency!: AddonVersion['billingFrequency'];
}

/** Body of `POST /api/addons/` (docs/contract.md#add-ons). */
class CreateAddonBody {
  @IsName(200) addon_name!: string;
  @IsOptional() @IsString() @MaxLength(5000) addon_description?: string;
  @IsNested(() => AddonVersionBody) initial_version!: AddonVersionBody;
}

/** Reads the add-on of a body without faults. */
const toAddonInput = (body: CreateAddonBody, known: VersionReferences): DefineAddonInput => ({
  name: body.addon_name,
  description: body.addon_description ?? null,
  version: {
    content: toPrices(body.initial_version, known, null),
    features: toFeatures(body.initial_version, known),
    invoiceWhen: body.initial_version.invoice_when ?? 'invoice_on_attach',
    billingFrequency: body.initial_version.billing_frequency,
  },
});

const PAGE = { page: (q: QueryParams) => q.page({ default: 1000, max: 1000 }) };

@Controller('api/addons')
export class AddonsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly restrictions: StreamRestrictions,
  ) {}

  @Post()
  @Operation({ summary: 'Defines an add-on.', answer: ADDON, body: CreateAddonBody })
  async createAddon(@Ctx() context: CommandContext, @Body() raw: object) {
    const { org } = context;
    const read = readFields(CreateAddonBody, raw);
    const outline = outlineOf(org, read.body.initial_version, read.isFaulty);
    const addon = await this.restrictions.use(org, metricStreamsOf(org, outline), async () => {
      const known = await this.queries.execute(new FindVersionReferences(org, outline));
      refuseFaults(read, checkVersion(outline, known));
      return this.commands.execute(new DefineAddon(context, toAddonInput(read.body, known)));
    });
    return presentAddon(addon);
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
