import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { AccountInvoice } from '../accounts/domain/account-invoices.js';
import { accountDecider, accountId } from '../decider/domain/account.js';
import type { PaymentChanges } from './domain/payment-decisions.js';
import { AccountLookup } from '../accounts/account-lookup.js';
import type { DuePaymentRow } from '../read-models/due.js';

export class ChangePayment extends Command<AccountInvoice> {
  constructor(
    readonly context: CommandContext,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
    readonly changes: PaymentChanges,
  ) {
    super();
  }
}

@CommandHandler(ChangePayment)
export class ChangePaymentHandler implements ICommandHandler<ChangePayment> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly accounts: AccountLookup,
  ) {}

  /** @throws DomainError `not_found`; `invalid_state` for a paid invoice that should go back */
  async execute({ context, name, changes }: ChangePayment): Promise<AccountInvoice> {
    const { customerKey, currency, invoiceId } = await this.accounts.ofInvoice(context.org, name);
    const command = { type: 'ChangePayment' as const, invoiceId, currency, changes };
    const { state } = await this.runner.run(
      accountDecider,
      accountId(customerKey, currency),
      command,
      context,
    );
    return state.invoices.get(invoiceId)!;
  }
}

/** Notes in the log that an invoice was not paid in time. */
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
    await this.runner.run(accountDecider, accountId(customerKey, currency), command, context);
  }
}
