import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import {
  policyContext,
  withRole,
  type CommandContext,
  type CommandSession,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { inBackground } from '../../platform/concurrency/long-work.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { Policies, type Policy } from '../../platform/eventsourcing/policies/policies.js';
import { accountDecider, accountId } from '../decider/domain/account.js';
import type { AccountEvent } from '../accounts/domain/events.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import type { AccountState, BillableAccount } from '../accounts/domain/account-state.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { numberSeriesDecider } from './domain/number-series.js';

/**
 * Assigns invoices the numbers of their UTC issue day. Invoices that arrive during an append share the next append: a day
 * is one stream, and without this a billing run over many accounts would append to it once per invoice.
 */
@Injectable()
export class InvoiceNumberAssigner {
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(private readonly runner: CommandRunner) {}

  /** Returns the number, `YYMMDD-000001`; the same invoice always gets the same number. */
  assign(
    invoice: { invoiceId: Uuid; resultHash: string },
    issuedAt: Instant,
    context: CommandContext,
  ): Promise<string> {
    const day = issuedAt.slice(2, 10).replaceAll('-', '');
    const series = `${context.org}.${day}`;
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(series);
      const member = { invoice, context, resolve, reject };
      if (waiting) return void waiting.push(member);
      this.#waiting.set(series, [member]);
      // Requests and billing runs share the appends.
      void inBackground(() => this.#appendGroups(series, day));
    });
  }

  /** Each append is recorded under the first request of its group. */
  async #appendGroups(series: string, day: string): Promise<void> {
    for (let group = this.#waiting.get(series)!; group.length > 0; group = this.#waiting.get(series)!) {
      this.#waiting.set(series, []);
      try {
        const invoices = group.map((member) => member.invoice);
        const { context } = group[0]!;
        const commandId = derivedId(context.org, invoices.map((invoice) => invoice.invoiceId).join());
        const command = { type: 'AssignNumbers' as const, day, invoices };
        const { state } = await this.runner.run(numberSeriesDecider, day, command, { ...context, commandId });
        for (const member of group) member.resolve(state.numberOf(member.invoice.invoiceId)!);
      } catch (error) {
        for (const member of group) member.reject(error);
      }
    }
    this.#waiting.delete(series);
  }
}

/** Issues a computed invoice: assigns its number and publishes it from the stored event. Nothing can refuse it. */
@Injectable()
export class IssueInvoicePolicy implements Policy, OnModuleInit {
  readonly name = 'issue-invoice';
  readonly on = ['InvoiceComputed'];

  constructor(
    private readonly policies: Policies,
    private readonly runner: CommandRunner,
    private readonly numbers: InvoiceNumberAssigner,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle(
    event: RecordedEvent<Extract<AccountEvent, { type: 'InvoiceComputed' }>>,
    session?: CommandSession,
  ): Promise<void> {
    const { customerKey, currency } = event.data;
    await this.issue(event.data, { customerKey, currency }, policyContext(event, this.name, session));
  }

  /**
   * Issues the invoices of an account that another request is about to issue, or that a process left when it died: a
   * reduction names the number of the invoice that it reduces.
   * @returns false if there are none
   */
  async issueAll(
    { invoices }: AccountState,
    billable: BillableAccount,
    context: CommandContext,
  ): Promise<boolean> {
    const unissued = [...invoices.values()].filter(({ number }) => number === null);
    for (const invoice of unissued) {
      await this.issue(invoice, billable, withRole(context, `issue ${invoice.invoiceId}`));
    }
    return unissued.length > 0;
  }

  /** Idempotent, also when two processes call it at once. */
  private async issue(
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
      accountDecider,
      accountId(customerKey, currency),
      { type: 'IssueInvoice', invoiceId, number },
      context,
    );
  }
}

interface Waiting {
  readonly invoice: { readonly invoiceId: Uuid; readonly resultHash: string };
  readonly context: CommandContext;
  readonly resolve: (number: string) => void;
  readonly reject: (error: unknown) => void;
}
