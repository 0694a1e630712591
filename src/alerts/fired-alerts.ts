import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerDirectory } from '../customer/customer-directory.js';
import { DomainError } from '../kernel/errors.js';
import { toWireId, type Uuid } from '../kernel/ids.js';
import { formatInstant } from '../kernel/instant.js';
import type { NotedRow } from '../platform/database/noted-rows.js';
import { UsageAlerts } from './usage-alerts.js';

/** Lists the next windows that triggered an alert after a row. */
export class ListNotedFirings extends Query<NotedRow[]> {
  constructor(
    readonly org: Uuid,
    readonly after: NotedRow,
  ) {
    super();
  }
}

@QueryHandler(ListNotedFirings)
export class ListNotedFiringsHandler implements IQueryHandler<ListNotedFirings> {
  constructor(private readonly alerts: UsageAlerts) {}

  execute({ org, after }: ListNotedFirings): Promise<NotedRow[]> {
    return this.alerts.firedAfter(org, after);
  }
}

/**
 * Returns a window that triggered an alert, as the webhook sends it.
 * @throws DomainError `not_found`
 */
export class GetAlertFiring extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly firingId: Uuid,
  ) {
    super();
  }
}

@QueryHandler(GetAlertFiring)
export class GetAlertFiringHandler implements IQueryHandler<GetAlertFiring> {
  constructor(
    private readonly alerts: UsageAlerts,
    private readonly customers: CustomerDirectory,
  ) {}

  async execute({ org, firingId }: GetAlertFiring): Promise<object> {
    const firing = await this.alerts.firing(org, firingId);
    if (!firing)
      throw new DomainError(
        'not_found',
        'The usage alert was deleted. Create a new one to be notified again.',
      );
    return {
      usage_alert_id: toWireId('usage_alert', firing.alertId),
      name: firing.name,
      metric_id: toWireId('metric', firing.metricId),
      customer: (await this.customers.find(org, firing.customerKey)) ?? null,
      subscription_id: toWireId('sub', firing.subscriptionId),
      threshold_type: firing.measure,
      threshold: Number(firing.threshold),
      window_start: formatInstant(firing.windowStart),
      window_end: formatInstant(firing.windowEnd),
      quantity: Number(firing.quantity),
      amount: Number(firing.amount),
      currency_code: firing.currency,
      triggered_at: formatInstant(firing.triggeredAt),
    };
  }
}
