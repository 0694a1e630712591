import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomerModule } from '../customer/customer.module.js';
import { BulkChanges } from './commands/bulk-changes.js';
import { AttachAddonHandler } from './commands/attach-addon.js';
import { CancelAddonHandler } from './commands/cancel-addon.js';
import { CancelSubscriptionHandler } from './commands/cancel-subscription.js';
import { ExecuteBulkChange } from './commands/execute-bulk-change.js';
import { ChangeByFilterHandler } from './commands/change-by-filter.js';
import { ChangePrepaidUnitsHandler } from './commands/change-prepaid-units.js';
import { ChangeSubscriptionHandler } from './commands/change-subscription.js';
import { CloseTermHandler } from './commands/close-term.js';
import { CreateSubscriptionHandler } from './commands/create-subscription.js';
import { CustomerTerms } from './commands/customer-terms.js';
import {
  EndSubscriptionsOfCustomer,
  DryRunEndOfCustomerHandler,
} from './commands/end-subscriptions-of-customer.js';
import { CancelOrphanedSubscription } from './commands/cancel-orphaned-subscription.js';
import { UpdateReservation } from './commands/update-reservation.js';
import { TermPricingLoader } from './commands/term-pricing-loader.js';
import { PlanSwitches } from './commands/plan-switches.js';
import { SwitchTargets } from './commands/switch-targets.js';
import { StartSuccessor } from './commands/start-successor.js';
import { SwitchPlanHandler } from './commands/switch-plan.js';
import { TermDecisions } from './commands/term-decisions.js';
import { BulkChangesController } from './http/bulk-changes.controller.js';
import { ChangesByFilterController } from './http/changes-by-filter.controller.js';
import { SubscriptionAddonsController } from './http/subscription-addons.controller.js';
import { PrepaidUnitsController } from './http/prepaid-units.controller.js';
import { ShowSubscriptionHandler } from './http/show-subscription.js';
import { SubscriptionPresenter } from './http/subscription-presenter.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { SwitchPlanController } from './http/switch-plan.controller.js';
import { OverlapReservations } from './overlap-reservations.js';
import { GetSubscriptionHandler } from './queries/get-subscription.js';
import { KnownFilters } from './queries/known-filters.js';
import { ListBulkChangesHandler } from './queries/list-bulk-changes.js';
import { ListSubscriptionsHandler } from './queries/list-subscriptions.js';
import { PreviewCancelHandler } from './queries/preview-cancel.js';
import { PreviewPrepaidUnitsHandler } from './queries/preview-prepaid-units.js';
import { PreviewSwitchHandler } from './queries/preview-switch.js';
import { Renewals } from './renewals.js';
import { SubscriptionReader } from './subscription-reader.js';
import { SubscriptionEtagLocator } from './subscription-etag-locator.js';

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
    BulkChanges,
    SubscriptionEtagLocator,
    AttachAddonHandler,
    CancelAddonHandler,
    CancelSubscriptionHandler,
    ExecuteBulkChange,
    ChangeByFilterHandler,
    ChangePrepaidUnitsHandler,
    ChangeSubscriptionHandler,
    CloseTermHandler,
    CreateSubscriptionHandler,
    CustomerTerms,
    CancelOrphanedSubscription,
    EndSubscriptionsOfCustomer,
    UpdateReservation,
    GetSubscriptionHandler,
    KnownFilters,
    ListBulkChangesHandler,
    ListSubscriptionsHandler,
    TermPricingLoader,
    OverlapReservations,
    PreviewCancelHandler,
    DryRunEndOfCustomerHandler,
    PreviewPrepaidUnitsHandler,
    PlanSwitches,
    PreviewSwitchHandler,
    Renewals,
    ShowSubscriptionHandler,
    StartSuccessor,
    SubscriptionPresenter,
    SubscriptionReader,
    SwitchPlanHandler,
    SwitchTargets,
    TermDecisions,
  ],
  exports: [Renewals, SubscriptionReader],
})
export class SubscriptionModule {}
