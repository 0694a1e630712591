import { Injectable, type OnModuleInit, Module } from '@nestjs/common';
import { fromWireId } from '../kernel/ids.js';
import { streamName } from '../kernel/event.js';
import { EtagLocators } from '../platform/http/etag/etags.js';
import { PlanCatalog } from './plan-catalog.js';
import { CustomerModule } from '../customer/customer.module.js';
import { AddonCatalog } from './addon-catalog.js';
import { AddPlanFeatureHandler } from './commands/add-plan-feature.js';
import { ArchiveMetricHandler } from './commands/archive-metric.js';
import {
  ChangePlanDetailsHandler,
  ChangePlanTagsHandler,
  DeletePlanHandler,
  ReleasePlanName,
} from './commands/change-plan.js';
import { ChangeVersionTargetsHandler } from './commands/change-version-targets.js';
import {
  ChangeVersionHandler,
  DeleteVersionHandler,
  ReplaceVersionHandler,
} from './commands/change-version.js';
import { CreatePlanHandler } from './commands/create-plan.js';
import { DefineAddonHandler } from './commands/define-addon.js';
import { DefineFeatureHandler } from './commands/define-feature.js';
import { DefineMetricHandler } from './commands/define-metric.js';
import { NameClaims } from './commands/name-claims.js';
import { NoteRestrictions } from './commands/note-restrictions.js';
import { PlanWriter } from './commands/plan-writer.js';
import { PublishVersionHandler } from './commands/publish-version.js';
import { AddonsController } from './http/addons.controller.js';
import { FeaturesController } from './http/features.controller.js';
import { MetricsController } from './http/metrics.controller.js';
import { PlanVersionsController } from './http/plan-versions.controller.js';
import { PlansController } from './http/plans.controller.js';
import { FindVersionReferencesHandler } from './queries/find-version-references.js';
import { GetAddonHandler, ListAddonsHandler } from './queries/addons.js';
import { GetFeatureHandler, ListFeaturesHandler } from './queries/features.js';
import { GetMetricHandler, ListMetricsHandler, FindMissingMetricsHandler } from './queries/metrics.js';
import { GetPlanHandler, ListPlansHandler, ViewChangedPlanHandler } from './queries/plans.js';
import { RunningSubscriptions } from './running-subscriptions.js';

/** Locates the streams that ETags of the catalog come from; a version has the ETag of its plan. */
@Injectable()
class CatalogEtagLocators implements OnModuleInit {
  constructor(
    private readonly streams: EtagLocators,
    private readonly plans: PlanCatalog,
    private readonly addons: AddonCatalog,
  ) {}

  onModuleInit(): void {
    for (const kind of ['plan', 'addon', 'metric', 'feature'] as const) {
      this.streams.register(
        `${kind}_id`,
        (org, text) => {
          const id = fromWireId(kind, text);
          return id && streamName(kind, org, id);
        },
        kind,
      );
    }
    this.streams.register(
      'version_id',
      async (org, text) => {
        const versionId = fromWireId('plan_version', text);
        const planId = versionId && (await this.plans.planOf(org, versionId));
        return planId && streamName('plan', org, planId);
      },
      'plan_version',
    );
    this.streams.register(
      'addon_version_id',
      async (org, text) => {
        const versionId = fromWireId('addon_version', text);
        const addonId = versionId && (await this.addons.ofVersion(org, versionId))?.addonId;
        return addonId && streamName('addon', org, addonId);
      },
      'addon_version',
    );
  }
}

const COMMANDS = [
  AddPlanFeatureHandler,
  ArchiveMetricHandler,
  ChangePlanDetailsHandler,
  ChangePlanTagsHandler,
  ChangeVersionHandler,
  ChangeVersionTargetsHandler,
  CreatePlanHandler,
  DefineAddonHandler,
  DefineFeatureHandler,
  DefineMetricHandler,
  DeletePlanHandler,
  DeleteVersionHandler,
  PublishVersionHandler,
  ReplaceVersionHandler,
];
const QUERIES = [
  FindVersionReferencesHandler,
  GetAddonHandler,
  GetFeatureHandler,
  GetMetricHandler,
  GetPlanHandler,
  ListAddonsHandler,
  ListFeaturesHandler,
  ListMetricsHandler,
  ListPlansHandler,
  FindMissingMetricsHandler,
  ViewChangedPlanHandler,
];

/** Plans, add-ons, metrics and features. */
@Module({
  imports: [CustomerModule],
  controllers: [
    AddonsController,
    FeaturesController,
    MetricsController,
    PlanVersionsController,
    PlansController,
  ],
  providers: [
    AddonCatalog,
    CatalogEtagLocators,
    NameClaims,
    NoteRestrictions,
    PlanCatalog,
    PlanWriter,
    ReleasePlanName,
    RunningSubscriptions,
    ...COMMANDS,
    ...QUERIES,
  ],
  exports: [AddonCatalog, PlanCatalog],
})
export class CatalogModule {}
