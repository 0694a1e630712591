import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { account, accountId } from '../accounts/domain/account.js';
import type { DuePaymentRow } from '../read-models/due.js';

/** Due work: says in the log that an invoice was not paid in time. */
export class NotePastDue extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly payment: Pick<DuePaymentRow, 'invoice_id' | 'customer_key' | 'currency' | 'due_at'>,
  ) {
    super();
  }
}

@CommandHandler(NotePastDue)
export class NotePastDueHandler implements ICommandHandler<NotePastDue> {
  constructor(private readonly runner: CommandRunner) {}

  async execute({ context, payment }: NotePastDue): Promise<void> {
    const { invoice_id: invoiceId, customer_key: customerKey, currency, due_at: dueAt } = payment;
    const command = { type: 'NotePastDue' as const, invoiceId, dueAt };
    await this.runner.run(account, accountId(customerKey, currency), command, context);
  }
}
