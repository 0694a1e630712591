import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { GetSubscription } from '../queries/get-subscription.js';
import { ShowSubscription } from '../queries/show-subscription.js';
import { SubscriptionPresenter } from './subscription-presenter.js';

/** For modules that may not know how a subscription is shown. */
@QueryHandler(ShowSubscription)
export class ShowSubscriptionHandler implements IQueryHandler<ShowSubscription> {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  async execute({ org, subscriptionId }: ShowSubscription): Promise<object> {
    return this.presenter.presentOne(
      org,
      await this.queries.execute(new GetSubscription(org, subscriptionId)),
    );
  }
}
