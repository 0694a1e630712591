import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { InvoiceDryRun, InvoicePreview, type PreviewedInvoices } from '../billing-ports.js';
import type { CancelTerms } from '../domain/events.js';
import { alreadyEnded } from '../domain/term-state.js';
import { TermDecisions, type ChangedTerm, type TermDryRun } from './term-decisions.js';

/** Ends one running term now. */
export class CancelSubscription extends Command<ChangedTerm> {
  constructor(
    readonly context: CommandContext,
    /** Undefined when the id in the request is malformed. */
    readonly subscriptionId: Uuid | undefined,
    readonly terms: CancelTerms,
  ) {
    super();
  }
}

@CommandHandler(CancelSubscription)
export class CancelSubscriptionHandler implements ICommandHandler<CancelSubscription> {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly invoices: InvoiceDryRun,
  ) {}

  /** @throws DomainError `resource_not_found`, `invalid_state`; `amount_out_of_range` when it could not be invoiced */
  async execute({ context, subscriptionId, terms }: CancelSubscription): Promise<ChangedTerm> {
    // 1. Decide, and compute the invoice that follows, before anything is written.
    const dryRun = await this.decisions.dryRun(context, subscriptionId, {
      type: 'CancelSubscription',
      terms,
    });
    if (terms.invoicing === 'invoice_now') await this.dryRunInvoice(context, dryRun);

    // 2. Append the end. Policies make the invoice and release the reservation.
    return this.decisions.withBilling(context, await this.decisions.execute(context, dryRun));
  }

  private async dryRunInvoice(context: CommandContext, { after, decidingEvent }: TermDryRun): Promise<void> {
    if (after) await this.invoices.dryRun(context, [after], decidingEvent);
  }
}

/** Previews the invoice that settles a cancellation. Nothing is stored. */
export class PreviewCancel extends Query<PreviewedInvoices> {
  constructor(
    readonly context: CommandContext,
    /** Undefined when the id in the request is malformed. */
    readonly subscriptionId: Uuid | undefined,
    readonly terms: CancelTerms,
  ) {
    super();
  }
}

@QueryHandler(PreviewCancel)
export class PreviewCancelHandler implements IQueryHandler<PreviewCancel> {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly invoices: InvoicePreview,
  ) {}

  /** @throws DomainError when the cancellation would be refused */
  async execute({ context, subscriptionId, terms }: PreviewCancel): Promise<PreviewedInvoices> {
    const { after } = await this.decisions.dryRun(context, subscriptionId, {
      type: 'CancelSubscription',
      terms,
    });
    if (!after) throw alreadyEnded();
    const billed = terms.invoicing === 'invoice_now' ? 'now' : 'next';
    return this.invoices.preview(context, [after], billed);
  }
}
