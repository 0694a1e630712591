import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RehearseRun } from '../../billing/commands/rehearse-run.js';
import { DomainError } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { followingContext, type CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { commandOf, type BulkChange } from '../domain/bulk-change.js';
import { subscription, type Subscription } from '../domain/subscription.js';
import { SubscriptionReader, type ReadSubscription } from '../subscription-reader.js';
import { TermDecisions } from './term-decisions.js';

/** Decides one change on several terms before anything is written, and does it once that was accepted. */
@Injectable()
export class BulkChanges {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly runner: CommandRunner,
    private readonly subscriptions: SubscriptionReader,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Those of the terms that still run.
   * @throws DomainError what any of them refuses with: then nothing changes
   */
  async rehearse(context: CommandContext, ids: readonly Uuid[], change: BulkChange): Promise<Uuid[]> {
    const command = commandOf(change);
    const rehearsed = [];
    for (const id of ids) {
      const one = await this.decisions.rehearse(context, id, command);
      if (one.after) rehearsed.push({ ...one, after: one.after });
    }
    if (change.kind === 'cancel' && change.terms.invoicing === 'invoice_now') {
      await this.rehearseInvoices(
        context,
        rehearsed.map(({ after }) => after),
      );
    }
    await this.decisions.takePlaces(context.org, rehearsed);
    return rehearsed.map(({ subscriptionId }) => subscriptionId);
  }

  /**
   * Each in its own stream, at the time it was accepted; doing it again answers the same. A subscription that somebody
   * else ended in that instant is left out, one that was renewed is changed where it goes on.
   */
  async carryOut(
    accepted: RecordedEvent,
    ids: readonly Uuid[],
    change: BulkChange,
  ): Promise<ReadSubscription[]> {
    const done: ReadSubscription[] = [];
    for (const id of ids) {
      const context = {
        ...followingContext(accepted, `bulk ${id}`),
        receivedAt: accepted.metadata.recordedAt,
      };
      const changed = await this.carryOutOne(context, id, change);
      if (changed) done.push(changed);
    }
    return done;
  }

  private async carryOutOne(
    context: CommandContext,
    id: Uuid,
    change: BulkChange,
  ): Promise<ReadSubscription | undefined> {
    try {
      const { state, revision } = await this.runner.run(subscription, id, commandOf(change), context);
      return { state: state!, revision: revision! };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'conflict') throw error;
      const successor = (await this.subscriptions.load(context.org, id))?.state.successor;
      return successor ? this.carryOutOne(context, successor, change) : undefined;
    }
  }

  /** One run per account, over all that changes there. */
  private async rehearseInvoices(context: CommandContext, changed: readonly Subscription[]): Promise<void> {
    for (const currency of new Set(changed.map(({ term }) => term.basis.currency))) {
      const ofAccount = changed.filter(({ term }) => term.basis.currency === currency);
      const account = { customerKey: ofAccount[0]!.term.customerKey, currency };
      await this.queries.execute(new RehearseRun(context, account, ofAccount));
    }
  }
}
