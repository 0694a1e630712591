import { Module } from '@nestjs/common';
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
import { PlanWriter } from './commands/plan-writer.js';
import { PublishVersionHandler } from './commands/publish-version.js';
import { Freshness } from './freshness.js';
import { AddonsController } from './http/addons.controller.js';
import { FeaturesController } from './http/features.controller.js';
import { MetricsController } from './http/metrics.controller.js';
import { PlanVersionsController } from './http/plan-versions.controller.js';
import { PlansController } from './http/plans.controller.js';
import { CatalogEtagLocators } from './catalog-etag-locators.js';
import { PlanCatalog } from './plan-catalog.js';
import { FindVersionReferencesHandler } from './queries/find-version-references.js';
import { GetAddonHandler, ListAddonsHandler } from './queries/addons.js';
import { GetFeatureHandler, ListFeaturesHandler } from './queries/features.js';
import { GetMetricHandler, ListMetricsHandler, FindMissingMetricsHandler } from './queries/metrics.js';
import { GetPlanHandler, ListPlansHandler, ViewPlanHandler } from './queries/plans.js';
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
  FindMissingMetricsHandler,
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
    CatalogEtagLocators,
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
