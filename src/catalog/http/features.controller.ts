import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { Page, RawQuery, QueryParams } from '../../platform/http/query/query-params.js';
import { DefineFeature } from '../commands/define-feature.js';
import { GetFeature, ListFeatures } from '../queries/features.js';
import { IsName, pathId } from './fields.js';
import { FEATURE, presentFeature } from '../present-feature.js';

/** Body of `POST /api/features/` (docs/contract.md#features). */
class CreateFeatureBody {
  @IsName(200)
  feature_name!: string;

  @IsOptional()
  @IsString()
  @MaxLength(5000)
  feature_description?: string;
}

const PAGE = { page: (q: QueryParams) => q.page({ default: 1000, max: 1000 }) };

@Controller('api/features')
export class FeaturesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Operation({ summary: 'Defines a feature.', answer: FEATURE, body: CreateFeatureBody })
  async createFeature(@Ctx() context: CommandContext, @Body() body: CreateFeatureBody) {
    const input = { name: body.feature_name, description: body.feature_description ?? null };
    return presentFeature(await this.commands.execute(new DefineFeature(context, input)));
  }

  @Get()
  @Operation({ summary: 'Lists the features.', answer: listOf(FEATURE), query: PAGE, tables: ['features'] })
  async listFeatures(@Caller() caller: Caller, @RawQuery() query: QueryParams) {
    const page = PAGE.page(query);
    const { rows, nextCursor } = await this.queries.execute(new ListFeatures(caller.org, page));
    return new Page(rows.map(presentFeature), nextCursor);
  }

  @Get(':feature_id')
  @Operation({ summary: 'Returns a feature.', answer: FEATURE, tables: ['features'] })
  async getFeature(@Caller() caller: Caller, @Param('feature_id') featureId: string) {
    const query = new GetFeature(caller.org, pathId('feature', featureId));
    return presentFeature(await this.queries.execute(query));
  }
}
