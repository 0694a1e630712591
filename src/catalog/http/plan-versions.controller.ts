import { Body, Controller, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { type FieldError, unknownId } from '../../kernel/errors.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { StreamRestrictions } from '../../platform/eventsourcing/stream-restrictions.js';
import { Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { ChangeVersion, DeleteVersion, ReplaceVersion } from '../commands/change-version.js';
import { ChangeVersionTargets } from '../commands/change-version-targets.js';
import { PublishVersion } from '../commands/publish-version.js';
import type { Plan } from '../domain/plan-state.js';
import { checkVersion } from '../domain/version-proposal.js';
import { PlanCatalog } from '../plan-catalog.js';
import { FindVersionReferences } from '../queries/find-version-references.js';
import { ViewChangedPlan } from '../queries/plans.js';
import { pathId } from './fields.js';
import { toVersionInput } from './plan-input.js';
import { presentVersion } from './present-version.js';
import { readFields, refuseFaults, type ReadFields } from './read-fields.js';
import { ChangeVersionBody, PublishVersionBody, ReplacementBody, TargetsBody } from './version.body.js';
import { metricStreamsOf, outlineOf } from './version-outline.js';
import { PLAN_VERSION } from './version-schema.js';

@Controller('api/plan_versions')
export class PlanVersionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly plans: PlanCatalog,
    private readonly restrictions: StreamRestrictions,
  ) {}

  @Post()
  @Operation({ summary: 'Publishes a version of a plan.', answer: PLAN_VERSION, body: PublishVersionBody })
  async createPlanVersion(@Ctx() context: CommandContext, @Body() raw: object) {
    const { org } = context;
    const read = readFields(PublishVersionBody, raw);
    const outline = outlineOf(org, read.body, read.isFaulty, '');
    const published = await this.restrictions.use(org, metricStreamsOf(org, outline), async () => {
      const known = await this.queries.execute(new FindVersionReferences(org, outline));
      refuseFaults(read, [...(await this.planFaults(org, read)), ...checkVersion(outline, known, '')]);
      const { plan_id: planId, make_active: active, make_active_type: type } = read.body;
      const version = toVersionInput(read.body, outline, known);
      const makeActive = active ? (type ?? 'replace_on_renewal') : null;
      return this.commands.execute(new PublishVersion(context, { planId, version, makeActive }));
    });
    return this.present(org, published.plan, published.versionId);
  }

  @Patch(':version_id')
  @Operation({
    summary: 'Changes when a version is sold and what it is called; its prices never change.',
    answer: PLAN_VERSION,
    body: ChangeVersionBody,
  })
  async updatePlanVersion(
    @Ctx() context: CommandContext,
    @Param('version_id') id: string,
    @Body() body: ChangeVersionBody,
  ) {
    const versionId = pathId('plan_version', id);
    const { active_from: activeFrom, active_to: activeTo, localized_name: localizedName } = body;
    const input = { versionId, activeFrom, activeTo, localizedName };
    return this.present(
      context.org,
      await this.commands.execute(new ChangeVersion(context, input)),
      versionId,
    );
  }

  @Post(':version_id/delete')
  @HttpCode(200)
  @Operation({ summary: 'Deletes a version that nobody is subscribed to.', answer: PLAN_VERSION })
  async deletePlanVersion(@Ctx() context: CommandContext, @Param('version_id') id: string) {
    const versionId = pathId('plan_version', id);
    const plan = await this.commands.execute(new DeleteVersion(context, versionId));
    return this.present(context.org, plan, versionId);
  }

  @Post(':version_id/target_customers/add')
  @HttpCode(200)
  @Operation({
    summary: 'Offers a version to these customers only.',
    answer: PLAN_VERSION,
    body: TargetsBody,
  })
  async addTargetCustomers(
    @Ctx() context: CommandContext,
    @Param('version_id') id: string,
    @Body() body: TargetsBody,
  ) {
    return this.changeTargets(context, id, { how: 'add', customerIds: body.customer_ids });
  }

  @Post(':version_id/target_customers/remove')
  @HttpCode(200)
  @Operation({
    summary: 'Withdraws a custom version from customers.',
    answer: PLAN_VERSION,
    body: TargetsBody,
  })
  async removeTargetCustomers(
    @Ctx() context: CommandContext,
    @Param('version_id') id: string,
    @Body() body: TargetsBody,
  ) {
    return this.changeTargets(context, id, { how: 'remove', customerIds: body.customer_ids });
  }

  @Post(':version_id/make_public')
  @HttpCode(200)
  @Operation({ summary: 'Offers a custom version to everybody.', answer: PLAN_VERSION })
  async makePlanVersionPublic(@Ctx() context: CommandContext, @Param('version_id') id: string) {
    return this.changeTargets(context, id, { how: 'make-public' });
  }

  @Post(':version_id/replacement/set')
  @HttpCode(200)
  @Operation({
    summary: 'Sets the version that its subscriptions renew to.',
    answer: PLAN_VERSION,
    body: ReplacementBody,
  })
  async setReplacementVersion(
    @Ctx() context: CommandContext,
    @Param('version_id') id: string,
    @Body() { replace_with: replaceWith }: ReplacementBody,
  ) {
    const versionId = pathId('plan_version', id);
    const plan = await this.commands.execute(new ReplaceVersion(context, { versionId, replaceWith }));
    return this.present(context.org, plan, versionId);
  }

  private async changeTargets(context: CommandContext, id: string, input: ChangeVersionTargets['input']) {
    const versionId = pathId('plan_version', id);
    const plan = await this.commands.execute(new ChangeVersionTargets(context, versionId, input));
    return this.present(context.org, plan, versionId);
  }

  private async planFaults(
    org: Uuid,
    { body, isFaulty }: ReadFields<PublishVersionBody>,
  ): Promise<FieldError[]> {
    if (isFaulty('plan_id')) return [];
    const plan = await this.plans.candidates(org, body.plan_id);
    if (plan?.deletedAt === null) return [];
    return [{ code: 'does_not_exist', detail: unknownId('plan'), attr: 'plan_id' }];
  }

  /** Presents the state right after the command, so the answer is never stale. */
  private async present(org: Uuid, plan: Plan, versionId: Uuid) {
    const view = await this.queries.execute(new ViewChangedPlan(org, plan));
    return presentVersion(
      plan.versions.find((version) => version.versionId === versionId)!,
      view,
    );
  }
}
