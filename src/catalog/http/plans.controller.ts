import { QueryParams, RawQuery, Page } from '../../platform/http/query/query-params.js';
import {
  AddFeatureBody,
  ChangePlanBody,
  CreatePlanBody,
  DURATIONS,
  TagsBody,
  versionsOf,
} from './plan.body.js';
import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { type Command, CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { StreamRestrictions } from '../../platform/eventsourcing/stream-restrictions.js';
import { Caller, Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { AddPlanFeature } from '../commands/add-plan-feature.js';
import { ChangePlanDetails, ChangePlanTags, DeletePlan } from '../commands/change-plan.js';
import { CreatePlan } from '../commands/create-plan.js';
import type { Plan } from '../domain/plan-state.js';
import { checkVersion } from '../domain/version-proposal.js';
import { FindVersionReferences } from '../queries/find-version-references.js';
import { PLAN_ORDERINGS } from '../queries/plan-order.js';
import { GetPlan, ListPlans, ViewChangedPlan } from '../queries/plans.js';
import { pathId } from './fields.js';
import { toPlanInput } from './plan-input.js';
import { PLAN, presentPlan } from './plan-schema.js';
import { readFields, refuseFaults } from './read-fields.js';
import { metricStreamsOf, outlineOf } from './version-outline.js';

const CUSTOM_TYPES = ['custom_only', 'public_only', 'all'] as const;

const tags = (name: string) => (q: QueryParams) => q.many(name).map((tag) => tag.toLowerCase());

/** Query parameters of `GET /api/plans/` (docs/contract.md#list-plans). */
const PLAN_FILTERS = {
  duration: (q: QueryParams) => q.choice('duration', DURATIONS),
  excludeTags: tags('exclude_tags'),
  includeTags: tags('include_tags'),
  includeTagsAll: tags('include_tags_all'),
  currency: (q: QueryParams) => q.currency('version_currency_code'),
  customType: (q: QueryParams) => q.choice('version_custom_type', CUSTOM_TYPES),
  phases: (q: QueryParams) => q.choices('version_status', ['active', 'ended', 'not_started']),
  ordering: (q: QueryParams) => q.choice('ordering', PLAN_ORDERINGS),
  page: (q: QueryParams) => q.page({ default: 1000, max: 1000 }),
};

@Controller('api/plans')
export class PlansController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly restrictions: StreamRestrictions,
  ) {}

  @Post()
  @Operation({
    summary: 'Creates a plan with its first version, active at once.',
    answer: PLAN,
    body: CreatePlanBody,
  })
  async createPlan(@Ctx() context: CommandContext, @Body() raw: object) {
    const { org } = context;
    const read = readFields(CreatePlanBody, raw);
    const outline = outlineOf(org, read.body.initial_version, read.isFaulty);
    const plan = await this.restrictions.use(org, metricStreamsOf(org, outline), async () => {
      const known = await this.queries.execute(new FindVersionReferences(org, outline));
      refuseFaults(read, checkVersion(outline, known));
      return this.commands.execute(new CreatePlan(context, toPlanInput(read.body, outline, known)));
    });
    return presentPlan(await this.queries.execute(new ViewChangedPlan(org, plan, true)));
  }

  @Get()
  @Operation({
    summary: 'Lists plans, filtered by their own fields and by their versions.',
    answer: listOf(PLAN),
    query: PLAN_FILTERS,
  })
  async listPlans(@Caller() caller: Caller, @RawQuery() query: QueryParams) {
    const { ordering, page, ...filters } = query.read(PLAN_FILTERS);
    const asked = new ListPlans(caller.org, filters, { ordering, ...page });
    const { rows, nextCursor } = await this.queries.execute(asked);
    return new Page(rows.map(presentPlan), nextCursor);
  }

  @Get(':plan_id')
  @Operation({ summary: 'Returns a plan.', answer: PLAN })
  async getPlan(@Caller() caller: Caller, @Param('plan_id') planId: string) {
    return presentPlan(await this.queries.execute(new GetPlan(caller.org, pathId('plan', planId))));
  }

  @Patch(':plan_id')
  @Operation({
    summary: 'Changes the name or the description of a plan.',
    answer: PLAN,
    body: ChangePlanBody,
  })
  async updatePlan(
    @Ctx() context: CommandContext,
    @Param('plan_id') id: string,
    @Body() body: ChangePlanBody,
  ) {
    const input = { name: body.plan_name, description: body.plan_description };
    return this.answer(context, new ChangePlanDetails(context, pathId('plan', id), input));
  }

  @Post(':plan_id/delete')
  @HttpCode(200)
  @Operation({ summary: 'Deletes a plan that nobody is subscribed to.', answer: PLAN })
  async deletePlan(@Ctx() context: CommandContext, @Param('plan_id') id: string) {
    return this.answer(context, new DeletePlan(context, pathId('plan', id)));
  }

  @Post(':plan_id/tags/add')
  @HttpCode(200)
  @Operation({ summary: 'Adds tags to a plan.', answer: PLAN, body: TagsBody })
  async addPlanTags(@Ctx() context: CommandContext, @Param('plan_id') id: string, @Body() body: TagsBody) {
    return this.changeTags(context, id, 'add', body);
  }

  @Post(':plan_id/tags/remove')
  @HttpCode(200)
  @Operation({ summary: 'Removes tags from a plan.', answer: PLAN, body: TagsBody })
  async removePlanTags(@Ctx() context: CommandContext, @Param('plan_id') id: string, @Body() body: TagsBody) {
    return this.changeTags(context, id, 'remove', body);
  }

  @Post(':plan_id/tags/set')
  @HttpCode(200)
  @Operation({ summary: 'Replaces the tags of a plan.', answer: PLAN, body: TagsBody })
  async setPlanTags(@Ctx() context: CommandContext, @Param('plan_id') id: string, @Body() body: TagsBody) {
    return this.changeTags(context, id, 'set', body);
  }

  @Post(':plan_id/features/add')
  @HttpCode(200)
  @Operation({ summary: 'Adds a feature to versions of a plan.', answer: PLAN, body: AddFeatureBody })
  async addPlanFeature(
    @Ctx() context: CommandContext,
    @Param('plan_id') id: string,
    @Body() body: AddFeatureBody,
  ) {
    const input = { featureId: body.feature_id, versionIds: versionsOf(body) };
    return this.answer(context, new AddPlanFeature(context, pathId('plan', id), input));
  }

  private changeTags(context: CommandContext, id: string, how: 'add' | 'remove' | 'set', { tags }: TagsBody) {
    const input = { how, tags: tags.map((tag) => tag.tag_name) };
    return this.answer(context, new ChangePlanTags(context, pathId('plan', id), input));
  }

  /** Presents the state right after the command, so the answer is never stale. */
  private async answer({ org }: CommandContext, command: Command<Plan>) {
    const plan = await this.commands.execute(command);
    return presentPlan(await this.queries.execute(new ViewChangedPlan(org, plan)));
  }
}
