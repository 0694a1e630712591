import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PresentSubscriptionsOfCustomers } from '../../customer/customer-record-ports.js';
import { groupBy } from '../../kernel/iteration.js';
import type { Uuid } from '../../kernel/ids.js';
import { SubscriptionsOfCustomers } from '../queries/subscriptions-of-customers.js';
import { SubscriptionPresenter } from './subscription-resource.js';

@QueryHandler(PresentSubscriptionsOfCustomers)
export class PresentSubscriptionsOfCustomersHandler implements IQueryHandler<PresentSubscriptionsOfCustomers> {
  constructor(
    private readonly subscriptions: SubscriptionsOfCustomers,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  async execute({
    org,
    customerKeys,
  }: PresentSubscriptionsOfCustomers): Promise<ReadonlyMap<Uuid, readonly object[]>> {
    const views = await this.subscriptions.running(org, customerKeys);
    const shown = await this.presenter.present(org, views);
    const indexes = groupBy(views.keys(), (index) => views[index]!.customerKey);
    return new Map([...indexes].map(([key, of]) => [key, of.map((index) => shown[index]!)]));
  }
}
