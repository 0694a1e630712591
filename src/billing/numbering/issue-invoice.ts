import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import {
  followingContext,
  withRole,
  type CommandContext,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import type { CommandSession } from '../../platform/eventsourcing/command-runner/command-session.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import { account, accountId } from '../accounts/domain/account.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import type { BillableAccount } from '../runs/billing-run-loader.js';
import { InvoiceNumbers } from './invoice-numbers.js';

/** Issues a computed invoice: assigns its number and publishes it from the stored event. Nothing can refuse it. */
@Injectable()
export class IssueInvoice implements Policy, OnModuleInit {
  readonly name = 'issue-invoice';
  readonly on = ['InvoiceComputed'];

  constructor(
    private readonly policies: Policies,
    private readonly runner: CommandRunner,
    private readonly numbers: InvoiceNumbers,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(
    event: RecordedEvent<Extract<AccountEvent, { type: 'InvoiceComputed' }>>,
    session?: CommandSession,
  ): Promise<void> {
    const { customerKey, currency } = event.data;
    await this.issue(event.data, { customerKey, currency }, followingContext(event, this.name, session));
  }

  /** Idempotent, also when two processes call it at once. */
  async issue(
    { invoiceId, resultHash, issuedAt }: Pick<ComputedInvoice, 'invoiceId' | 'resultHash' | 'issuedAt'>,
    { customerKey, currency }: BillableAccount,
    context: CommandContext,
  ): Promise<void> {
    const number = await this.numbers.assign(
      { invoiceId, resultHash },
      issuedAt,
      withRole(context, 'number'),
    );
    await this.runner.run(
      account,
      accountId(customerKey, currency),
      { type: 'IssueInvoice', invoiceId, number },
      context,
    );
  }
}
