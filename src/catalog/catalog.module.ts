import { Module } from '@nestjs/common';
import { CustomerModule } from '../customer/customer.module.js';
import { CreatePlanHandler } from './commands/create-plan.js';
import { DefineFeatureHandler } from './commands/define-feature.js';
import { DefineMetricHandler } from './commands/define-metric.js';
import { NameClaims } from './commands/name-claims.js';
import { FeaturesController } from './http/features.controller.js';
import { MetricsController } from './http/metrics.controller.js';
import { PlansController } from './http/plans.controller.js';
import { PlanCatalog } from './plan-catalog.js';
import { FindVersionReferencesHandler } from './queries/find-version-references.js';
import { GetFeatureHandler } from './queries/get-feature.js';
import { GetMetricHandler } from './queries/get-metric.js';
import { GetPlanHandler } from './queries/get-plan.js';
import { ListFeaturesHandler } from './queries/list-features.js';
import { ListMetricsHandler } from './queries/list-metrics.js';
import { ListPlansHandler } from './queries/list-plans.js';
import { ViewNewPlanHandler } from './queries/view-new-plan.js';

const COMMANDS = [CreatePlanHandler, DefineFeatureHandler, DefineMetricHandler];
const QUERIES = [
  FindVersionReferencesHandler,
  GetFeatureHandler,
  GetMetricHandler,
  GetPlanHandler,
  ListFeaturesHandler,
  ListMetricsHandler,
  ListPlansHandler,
  ViewNewPlanHandler,
];

/** What is sold and by what it is counted. */
@Module({
  imports: [CustomerModule],
  controllers: [FeaturesController, MetricsController, PlansController],
  providers: [NameClaims, PlanCatalog, ...COMMANDS, ...QUERIES],
  exports: [PlanCatalog],
})
export class CatalogModule {}
