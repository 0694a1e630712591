import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomerModule } from '../customer/customer.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { BackgroundWork } from '../platform/concurrency/background-work.js';
import { AlertReader } from './alert-reader.js';
import { AlertReferences } from './alert-references.js';
import { AlertImport, ApplyAlertEvents, AlertCommands } from './alert-changes.js';
import { AlertWatch } from './alert-watch.js';
import { ListNotedFiringsHandler, GetAlertFiringHandler } from './fired-alerts.js';
import { UsageAlertsController } from './http/usage-alerts.controller.js';
import { UsageAlerts } from './usage-alerts.js';

/** Usage alerts. A process with the role `scheduler` compares usage with them. */
@Module({
  imports: [BillingModule, CatalogModule, CustomerModule, MeteringModule],
  controllers: [UsageAlertsController],
  providers: [
    AlertReader,
    AlertReferences,
    AlertImport,
    AlertWatch,
    ApplyAlertEvents,
    AlertCommands,
    ListNotedFiringsHandler,
    GetAlertFiringHandler,
    UsageAlerts,
  ],
  exports: [UsageAlerts],
})
export class AlertsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly watch: AlertWatch,
    private readonly background: BackgroundWork,
  ) {}

  onApplicationBootstrap(): void {
    this.background.register('scheduler', () => this.watch.start());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watch.stop();
  }
}
