import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import { RunBilling } from '../runs/run-billing.js';

/** Bills the charges of an invoice that was voided with `rebill`; otherwise its account is due. */
@Injectable()
export class RebillVoidedInvoice implements FollowUp {
  readonly name = 'rebill-voided-invoice';
  readonly on = ['InvoiceVoided'];

  constructor(private readonly commands: CommandBus) {}

  async follow(event: RecordedEvent<Extract<AccountEvent, { type: 'InvoiceVoided' }>>): Promise<void> {
    const { customerKey, currency, rebill } = event.data;
    if (!rebill) return;
    await this.commands.execute(
      new RunBilling(followingContext(event, this.name), { customerKey, currency }),
    );
  }
}
