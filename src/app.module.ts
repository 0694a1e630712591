import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ProjectionsModule } from '../projections/projections.module.js';
import { API } from './api-document/info.js';
import { AccessModule } from './access/access.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BillingModule } from './billing/billing.module.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { ConsoleModule } from './console/console.module.js';
import { CustomerModule } from './customer/customer.module.js';
import { MeteringModule } from './metering/metering.module.js';
import { OrganizationModule } from './organization/organization.module.js';
import { HttpModule } from './platform/http/http.module.js';
import type { Platform } from './platform/platform.js';
import { PlatformModule } from './platform/platform.module.js';
import { SubscriptionModule } from './subscription/subscription.module.js';
import { TransparencyModule } from './transparency/transparency.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** All modules of the engine, one per line. */
const MODULES = [
  AccessModule,
  AlertsModule,
  AnalyticsModule,
  AuditModule,
  CatalogModule,
  ConsoleModule,
  CustomerModule,
  MeteringModule,
  OrganizationModule,
  SubscriptionModule,
  BillingModule,
  TransparencyModule,
  WebhooksModule,
];

@Module({})
export class AppModule {
  static of(platform: Platform): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        PlatformModule.of(platform, API),
        HttpModule,
        ProjectionsModule,
        ...MODULES,
      ],
    };
  }
}
