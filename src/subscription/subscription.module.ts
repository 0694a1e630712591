import { Injectable, type OnModuleInit, Module } from '@nestjs/common';
import { fromWireId } from '../kernel/ids.js';
import { streamName } from '../kernel/event.js';
import { EtagLocators } from '../platform/http/etag/etags.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomerModule } from '../customer/customer.module.js';
import { BulkChangeDecisions } from './commands/bulk-change-decisions.js';
import { BulkChangeExecutor } from './commands/bulk-change-executor.js';
import { AddonDryRuns, AttachAddonHandler, PreviewAddonHandler } from './commands/attach-addon.js';
import { CancelAddonHandler } from './commands/cancel-addon.js';
import { CancelSubscriptionHandler, PreviewCancelHandler } from './commands/cancel-subscription.js';
import { ChangeByFilterHandler } from './commands/change-by-filter.js';
import { ChangePrepaidUnitsHandler, PreviewPrepaidUnitsHandler } from './commands/change-prepaid-units.js';
import { ChangeSubscriptionHandler } from './commands/change-subscription.js';
import { CloseTermHandler } from './commands/close-term.js';
import { CreateSubscriptionHandler, PreviewSubscriptionHandler } from './commands/create-subscription.js';
import { OpenTermFinder } from './commands/open-term-finder.js';
import {
  EndSubscriptionsOfCustomer,
  DryRunCustomerDeletionHandler,
} from './commands/end-subscriptions-of-customer.js';
import {
  CancelOrphanedSubscription,
  ExecuteBulkChange,
  StartSuccessor,
  UpdateReservation,
} from './commands/subscription-policies.js';
import { TermPricingLoader } from './commands/term-pricing-loader.js';
import { PreviewSwitchHandler } from './switch/preview-switch.js';
import { PlanSwitches, SwitchPlanHandler, SwitchTargets } from './switch/switch-plan.js';
import { DecidedTerms } from './commands/decided-terms.js';
import { TermDecisions } from './commands/term-decisions.js';
import { BulkChangesController } from './http/bulk-changes.controller.js';
import { ChangesByFilterController } from './http/changes-by-filter.controller.js';
import { SubscriptionAddonsController } from './http/subscription-addons.controller.js';
import { PrepaidUnitsController } from './http/prepaid-units.controller.js';
import { GetSubscriptionResourceHandler, SubscriptionPresenter } from './http/subscription-resource.js';
import { PresentSubscriptionsOfCustomersHandler } from './http/present-subscriptions-of-customers.js';
import { SubscriptionsOfCustomers } from './queries/subscriptions-of-customers.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { SwitchPlanController } from './switch/http/switch-plan.controller.js';
import { OverlapReservations } from './overlap-reservations.js';
import { GetSubscriptionHandler } from './queries/get-subscription.js';
import { PreviewByFilterHandler } from './queries/preview-by-filter.js';
import { ReferenceCheck } from './queries/reference-check.js';
import { ListBulkChangesHandler } from './queries/list-bulk-changes.js';
import { ListSubscriptionsHandler } from './queries/list-subscriptions.js';
import { Renewals } from './renewals.js';
import { TermReader } from './term-reader.js';

/** A subscription has an ETag. */
@Injectable()
class SubscriptionEtagLocator implements OnModuleInit {
  constructor(private readonly streams: EtagLocators) {}

  onModuleInit(): void {
    this.streams.register(
      'subscription_id',
      (org, text) => {
        const id = fromWireId('sub', text);
        return id && streamName('subscription', org, id);
      },
      'sub',
    );
  }
}

/** Subscriptions: terms, their renewals, and who is subscribed to what at a time. */
@Module({
  imports: [CatalogModule, CustomerModule],
  controllers: [
    BulkChangesController,
    ChangesByFilterController,
    PrepaidUnitsController,
    SubscriptionAddonsController,
    SubscriptionsController,
    SwitchPlanController,
  ],
  providers: [
    BulkChangeDecisions,
    BulkChangeExecutor,
    SubscriptionEtagLocator,
    AddonDryRuns,
    AttachAddonHandler,
    CancelAddonHandler,
    CancelSubscriptionHandler,
    ExecuteBulkChange,
    ChangeByFilterHandler,
    ChangePrepaidUnitsHandler,
    ChangeSubscriptionHandler,
    CloseTermHandler,
    CreateSubscriptionHandler,
    OpenTermFinder,
    CancelOrphanedSubscription,
    EndSubscriptionsOfCustomer,
    UpdateReservation,
    GetSubscriptionHandler,
    ReferenceCheck,
    ListBulkChangesHandler,
    ListSubscriptionsHandler,
    TermPricingLoader,
    OverlapReservations,
    PreviewAddonHandler,
    PreviewByFilterHandler,
    PreviewCancelHandler,
    DryRunCustomerDeletionHandler,
    PreviewPrepaidUnitsHandler,
    PlanSwitches,
    PreviewSubscriptionHandler,
    PreviewSwitchHandler,
    Renewals,
    GetSubscriptionResourceHandler,
    StartSuccessor,
    PresentSubscriptionsOfCustomersHandler,
    SubscriptionPresenter,
    SubscriptionsOfCustomers,
    TermReader,
    SwitchPlanHandler,
    SwitchTargets,
    DecidedTerms,
    TermDecisions,
  ],
  exports: [BulkChangeExecutor, Renewals, TermReader],
})
export class SubscriptionModule {}
