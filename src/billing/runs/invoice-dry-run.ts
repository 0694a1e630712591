import { Inject, Injectable } from '@nestjs/common';
import { derivedId } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { accountOf } from '../../subscription/billing-ports.js';
import type { Subscription } from '../../subscription/domain/subscription-state.js';
import { computeInvoice } from '../rating/compute-invoice.js';
import { schedulesOf } from '../rating/usage-needs.js';
import { BillingRunLoader } from './billing-run-loader.js';
import type { RunResult } from './domain/run-result.js';
import { UsageCounter } from './usage-counter.js';

/**
 * Computes the run that follows a command, on terms as the command would leave them, and records nothing. A command whose
 * invoice cannot be computed is refused before anything is appended (docs/architecture.md#refuse-before-append).
 */
@Injectable()
export class InvoiceDryRun {
  constructor(
    private readonly loader: BillingRunLoader,
    private readonly usage: UsageCounter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param changed terms of one account
   * @param left aborts when the caller of a preview leaves; a preview counts within its organization's share
   * @throws DomainError `amount_out_of_range`
   */
  async compute(
    context: CommandContext,
    changed: readonly Subscription[],
    left?: AbortSignal,
  ): Promise<RunResult> {
    const { org, commandId, receivedAt } = context;
    const runId = derivedId(commandId, 'rehearsal');
    const asOf = receivedAt ?? (await this.clock.now(org));
    const ids = changed.map(({ term }) => term.subscriptionId);
    const data = await this.loader.load({ org, account: accountOf(changed[0]!), runId, asOf }, ids, changed);
    const schedules = schedulesOf(data);
    return computeInvoice(data, await this.usage.count(org, data, schedules, left), schedules);
  }
}
