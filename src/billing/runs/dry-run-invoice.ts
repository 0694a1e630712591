import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { derivedId } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { Subscription } from '../../subscription/domain/subscription-state.js';
import type { RunResult } from './domain/run-result.js';
import { computeInvoice } from '../rating/compute-invoice.js';
import { schedulesOf } from '../rating/usage-needs.js';
import { BillingRunLoader, type BillableAccount } from './billing-run-loader.js';
import { UsageCounter } from './usage-counter.js';

/**
 * Asked before a command that is invoiced at once: the run that would follow is computed on terms as the command would
 * leave them, and not recorded. What cannot be billed is refused before, never after (docs/architecture.md#refuse-before-append).
 */
export class DryRunInvoice extends Query<RunResult> {
  constructor(
    readonly context: CommandContext,
    readonly account: BillableAccount,
    readonly changed: readonly Subscription[],
    /** Of a preview: it counts within its organization's share, until this aborts. */
    readonly left?: AbortSignal,
  ) {
    super();
  }
}

@QueryHandler(DryRunInvoice)
export class DryRunInvoiceHandler implements IQueryHandler<DryRunInvoice> {
  constructor(
    private readonly loader: BillingRunLoader,
    private readonly usage: UsageCounter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws DomainError `amount_out_of_range` */
  async execute({ context, account, changed, left }: DryRunInvoice): Promise<RunResult> {
    const runId = derivedId(context.commandId, 'rehearsal');
    const asOf = context.receivedAt ?? (await this.clock.now(context.org));
    const ids = changed.map(({ term }) => term.subscriptionId);
    const data = await this.loader.load({ org: context.org, account, runId, asOf }, ids, changed);
    const schedules = schedulesOf(data);
    return computeInvoice(data, await this.usage.count(context.org, data, schedules, left), schedules);
  }
}
