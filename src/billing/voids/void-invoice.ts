import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { SubscriptionReader } from '../../subscription/subscription-reader.js';
import type { AccountInvoice } from '../invoices/domain/account-invoices.js';
import { account, accountId } from '../accounts/domain/account.js';
import { AccountLookup } from '../accounts/account-lookup.js';
import { loadInvoiceToVoid } from './read-invoice-to-void.js';

/** Takes an issued, unpaid invoice back; what it charged is billed again, at once with `rebill`. */
export class VoidInvoice extends Command<AccountInvoice> {
  constructor(
    readonly context: CommandContext,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
    readonly rebill: boolean,
  ) {
    super();
  }
}

const RETRIES = 8;

@CommandHandler(VoidInvoice)
export class VoidInvoiceHandler implements ICommandHandler<VoidInvoice> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly accounts: AccountLookup,
    private readonly subscriptions: SubscriptionReader,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws DomainError `not_found`; `invalid_state` for a draft, a paid or a voided invoice */
  async execute({ context, name, rebill }: VoidInvoice): Promise<AccountInvoice> {
    const { customerKey, currency, invoiceId } = await this.accounts.ofInvoice(context.org, name);
    const id = accountId(customerKey, currency);
    for (let attempt = 0; ; attempt++) {
      const read = await loadInvoiceToVoid(this.store, this.subscriptions, {
        org: context.org,
        id,
        invoiceId,
      });
      try {
        const command = { type: 'VoidInvoice' as const, ...read, rebill };
        const { state } = await this.runner.run(account, id, command, context);
        return state.invoices.get(invoiceId)!;
      } catch (error) {
        const moved = error instanceof DomainError && error.code === 'conflict';
        if (!moved || attempt === RETRIES) throw error;
      }
    }
  }
}
