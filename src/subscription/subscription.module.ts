import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomerModule } from '../customer/customer.module.js';
import { CancelSubscriptionHandler } from './commands/cancel-subscription.js';
import { ChangeSubscriptionHandler } from './commands/change-subscription.js';
import { CloseTermHandler } from './commands/close-term.js';
import { CreateSubscriptionHandler } from './commands/create-subscription.js';
import { FollowPlacement } from './commands/follow-placement.js';
import { Measures } from './commands/measures.js';
import { StartSuccessor } from './commands/start-successor.js';
import { TermDecisions } from './commands/term-decisions.js';
import { SubscriptionPresenter } from './http/subscription-presenter.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { Placements } from './placements.js';
import { GetSubscriptionHandler } from './queries/get-subscription.js';
import { ListSubscriptionsHandler } from './queries/list-subscriptions.js';
import { Renewals } from './renewals.js';
import { SubscriptionReader } from './subscription-reader.js';

/** Subscriptions: terms, their renewals, and who is subscribed to what at a time. */
@Module({
  imports: [CatalogModule, CustomerModule],
  controllers: [SubscriptionsController],
  providers: [
    CancelSubscriptionHandler,
    ChangeSubscriptionHandler,
    CloseTermHandler,
    CreateSubscriptionHandler,
    FollowPlacement,
    GetSubscriptionHandler,
    ListSubscriptionsHandler,
    Measures,
    Placements,
    Renewals,
    StartSuccessor,
    SubscriptionPresenter,
    SubscriptionReader,
    TermDecisions,
  ],
  exports: [Renewals, SubscriptionReader],
})
export class SubscriptionModule {}
