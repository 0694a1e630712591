import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetAlertFiring } from '../../alerts/fired-alerts.js';
import { GetInvoiceResource } from '../../billing/invoices/get-invoice.js';
import { GetParkedWorkResource } from '../../billing/parking/parked-work-queries.js';
import { GetCustomerResource } from '../../customer/queries/customers.js';
import type { Uuid } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { LOG_POSITION, OpaquePositions } from '../../platform/privacy/vault.js';
import { GetSubscriptionResource } from '../../subscription/queries/get-subscription.js';
import { GetCheckpointResource } from '../../transparency/queries/checkpoint-queries.js';
import type { DueDelivery } from '../deliveries.js';
import { TIMES_OF_ROWS, type Trigger } from '../domain/triggers.js';

/** Builds the payload again for each try: it never contains a customer who was erased meanwhile. */
@Injectable()
export class Payloads {
  constructor(
    private readonly queries: QueryBus,
    private readonly positions: OpaquePositions,
  ) {}

  /** Returns JSON with the resource as API answers show it. @throws DomainError while the read models lack it */
  async of(org: Uuid, delivery: DueDelivery): Promise<string> {
    const { trigger, occurred_at: occurredAt, commit, prepare, subject_id: subject } = delivery;
    const ofRow = TIMES_OF_ROWS[trigger];
    const data = await this.resource(org, trigger, subject);
    return JSON.stringify({
      type: trigger,
      timestamp: ofRow === undefined ? formatInstant(occurredAt) : (data as Record<string, unknown>)[ofRow],
      position: this.positions.conceal(org, LOG_POSITION, {
        commit: BigInt(commit),
        prepare: BigInt(prepare),
      }),
      data,
    });
  }

  private resource(org: Uuid, trigger: Trigger, subject: Uuid): Promise<object> {
    switch (trigger) {
      case 'customer.created':
        return this.queries.execute(new GetCustomerResource(org, subject));
      case 'subscription.created':
      case 'subscription.renewed':
      case 'subscription.cancelled':
        return this.queries.execute(new GetSubscriptionResource(org, subject));
      case 'invoice.created':
      case 'invoice.paid':
      case 'invoice.past_due':
      case 'invoice.voided':
        return this.queries.execute(new GetInvoiceResource(org, subject));
      case 'billing.parked':
        return this.queries.execute(new GetParkedWorkResource(org, subject));
      case 'usage_alert.triggered':
        return this.queries.execute(new GetAlertFiring(org, subject));
      case 'audit.checkpoint':
        return this.queries.execute(new GetCheckpointResource(org, subject));
    }
  }
}
