import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ShowSubscriptionsOfCustomers } from '../../customer/customer-record-ports.js';
import { groupBy } from '../../kernel/groups-by.js';
import type { Uuid } from '../../kernel/ids.js';
import { SubscriptionsOfCustomers } from '../queries/subscriptions-of-customers.js';
import { SubscriptionPresenter } from './subscription-resource.js';

@QueryHandler(ShowSubscriptionsOfCustomers)
export class ShowSubscriptionsOfCustomersHandler implements IQueryHandler<ShowSubscriptionsOfCustomers> {
  constructor(
    private readonly subscriptions: SubscriptionsOfCustomers,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  async execute({
    org,
    customerKeys,
  }: ShowSubscriptionsOfCustomers): Promise<ReadonlyMap<Uuid, readonly object[]>> {
    const views = await this.subscriptions.running(org, customerKeys);
    const shown = await this.presenter.present(org, views);
    const places = groupBy(views.keys(), (place) => views[place]!.customerKey);
    return new Map([...places].map(([key, of]) => [key, of.map((place) => shown[place]!)]));
  }
}
