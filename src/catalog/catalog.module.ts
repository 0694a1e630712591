import { Module } from '@nestjs/common';
import { CustomerModule } from '../customer/customer.module.js';
import { AddonCatalog } from './addon-catalog.js';
import { AddPlanFeatureHandler } from './commands/add-plan-feature.js';
import { ArchiveMetricHandler } from './commands/archive-metric.js';
import { ChangePlanDetailsHandler } from './commands/change-plan-details.js';
import { ChangePlanTagsHandler } from './commands/change-plan-tags.js';
import { ChangeVersionTargetsHandler } from './commands/change-version-targets.js';
import { ChangeVersionHandler } from './commands/change-version.js';
import { CreatePlanHandler } from './commands/create-plan.js';
import { DefineAddonHandler } from './commands/define-addon.js';
import { DefineFeatureHandler } from './commands/define-feature.js';
import { DefineMetricHandler } from './commands/define-metric.js';
import { DeletePlanHandler } from './commands/delete-plan.js';
import { DeleteVersionHandler } from './commands/delete-version.js';
import { NameClaims } from './commands/name-claims.js';
import { PlanWriter } from './commands/plan-writer.js';
import { PublishVersionHandler } from './commands/publish-version.js';
import { ReleasePlanName } from './commands/release-plan-name.js';
import { ReplaceVersionHandler } from './commands/replace-version.js';
import { Freshness } from './freshness.js';
import { AddonsController } from './http/addons.controller.js';
import { FeaturesController } from './http/features.controller.js';
import { MetricsController } from './http/metrics.controller.js';
import { PlanVersionsController } from './http/plan-versions.controller.js';
import { PlansController } from './http/plans.controller.js';
import { CatalogEtags } from './catalog-etags.js';
import { PlanCatalog } from './plan-catalog.js';
import { FindVersionReferencesHandler } from './queries/find-version-references.js';
import { GetAddonHandler } from './queries/get-addon.js';
import { GetFeatureHandler } from './queries/get-feature.js';
import { GetMetricHandler } from './queries/get-metric.js';
import { GetPlanHandler } from './queries/get-plan.js';
import { ListAddonsHandler } from './queries/list-addons.js';
import { ListFeaturesHandler } from './queries/list-features.js';
import { ListMetricsHandler } from './queries/list-metrics.js';
import { ListPlansHandler } from './queries/list-plans.js';
import { MissingMetricsHandler } from './queries/missing-metrics.js';
import { ViewPlanHandler } from './queries/view-plan.js';
import { RunningSubscriptions } from './running-subscriptions.js';

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
  MissingMetricsHandler,
  ViewPlanHandler,
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
    CatalogEtags,
    Freshness,
    NameClaims,
    PlanCatalog,
    PlanWriter,
    ReleasePlanName,
    RunningSubscriptions,
    ...COMMANDS,
    ...QUERIES,
  ],
  exports: [AddonCatalog, Freshness, PlanCatalog],
})
export class CatalogModule {}
