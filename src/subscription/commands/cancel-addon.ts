import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { InvoiceDryRun } from '../billing-ports.js';
import { findAddon } from '../domain/cancel-addon.js';
import type { CancelTerms } from '../domain/events.js';
import { addonsOf } from '../domain/term-periods.js';
import type { AttachedAddon } from './attach-addon.js';
import { TermDecisions } from './term-decisions.js';

/** Ends one add-on of a running subscription now. */
export class CancelAddon extends Command<AttachedAddon> {
  constructor(
    readonly context: CommandContext,
    /** Undefined when the id in the request is malformed. */
    readonly subscriptionId: Uuid | undefined,
    /** Id of the add-on, or of its attachment to the subscription. */
    readonly named: Uuid | undefined,
    readonly terms: CancelTerms,
  ) {
    super();
  }
}

@CommandHandler(CancelAddon)
export class CancelAddonHandler implements ICommandHandler<CancelAddon> {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly invoices: InvoiceDryRun,
  ) {}

  /** @throws DomainError `resource_not_found`, `invalid_state`; `amount_out_of_range` when it could not be invoiced */
  async execute({ context, subscriptionId, named, terms }: CancelAddon): Promise<AttachedAddon> {
    const read = subscriptionId && (await this.decisions.load(context, subscriptionId));
    if (!read) throw new DomainError('resource_not_found', unknownId('subscription'));
    const command = { type: 'CancelAddon', named, terms } as const;
    const before = findAddon(addonsOf(read.state.term), named);

    // 1. Decide, and compute the invoice that follows. An add-on that has ended is refused, except to a repeat.
    const dryRun = { subscriptionId, command, before: read.state, after: null };
    if (!before?.cancelled) {
      const decided = await this.decisions.dryRun(context, subscriptionId, command);
      if (decided.after && terms.invoicing === 'invoice_now') {
        await this.invoices.dryRun(context, [decided.after], decided.decidingEvent);
      }
    }

    // 2. Append the end. A policy makes its invoice.
    const { state } = await this.decisions.execute(context, dryRun);
    return { state, addonSubscriptionId: findAddon(addonsOf(state.term), named)!.addonSubscriptionId };
  }
}
