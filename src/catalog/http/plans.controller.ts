import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { Caller, Ctx } from '../../platform/http/caller.js';
import { Page } from '../../platform/http/page.js';
import { RawQuery, QueryParams } from '../../platform/http/query-params.js';
import { CreatePlan } from '../commands/create-plan.js';
import { checkVersion } from '../domain/version-proposal.js';
import { FindVersionReferences } from '../queries/find-version-references.js';
import { GetPlan } from '../queries/get-plan.js';
import { ListPlans } from '../queries/list-plans.js';
import { ViewNewPlan } from '../queries/view-new-plan.js';
import { pathId } from './path-id.js';
import { CreatePlanBody } from './plan.body.js';
import { readPlanFilters } from './plan-filters.js';
import { toPlanInput } from './plan-input.js';
import { presentPlan } from './present-plan.js';
import { readFields, refuseFaults } from './read-fields.js';
import { outlineOf } from './version-outline.js';

@Controller('api/plans')
export class PlansController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  async create(@Ctx() context: CommandContext, @Body() raw: object) {
    const { org } = context;
    const read = readFields(CreatePlanBody, raw);
    const outline = outlineOf(org, read.body.initial_version, read.isFaulty);
    const known = await this.queries.execute(new FindVersionReferences(org, outline));
    refuseFaults(read, checkVersion(outline, known));
    const plan = await this.commands.execute(new CreatePlan(context, toPlanInput(read.body, outline, known)));
    return presentPlan(await this.queries.execute(new ViewNewPlan(org, plan)));
  }

  @Get()
  async list(@Caller() caller: Caller, @RawQuery() query: QueryParams) {
    const { filters, page } = readPlanFilters(query);
    const { rows, nextCursor } = await this.queries.execute(new ListPlans(caller.org, filters, page));
    return new Page(rows.map(presentPlan), nextCursor);
  }

  @Get(':plan_id')
  async one(@Caller() caller: Caller, @Param('plan_id') planId: string) {
    return presentPlan(await this.queries.execute(new GetPlan(caller.org, pathId('plan', planId))));
  }
}
