import { Module } from '@nestjs/common';
import { CustomerModule } from '../customer/customer.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { FeatureAccessController, GrantedFeaturesController } from './http/feature-access.controller.js';
import { MetricAccessController } from './http/metric-access.controller.js';
import { GetFeatureAccessHandler } from './queries/get-feature-access.js';
import { GetMetricAccessHandler } from './queries/get-metric-access.js';
import { ListGrantedFeaturesHandler } from './queries/list-granted-features.js';

/** Answers which features a customer may use now, and how much of a metric is left. */
@Module({
  imports: [CustomerModule, MeteringModule],
  controllers: [FeatureAccessController, GrantedFeaturesController, MetricAccessController],
  providers: [GetFeatureAccessHandler, GetMetricAccessHandler, ListGrantedFeaturesHandler],
})
export class AccessModule {}
