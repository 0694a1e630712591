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
import { InvoiceDryRun, InvoicePreview, TermBilling, type PreviewedInvoices } from '../billing-ports.js';
import type { CancelTerms } from '../domain/events.js';
import type { Subscription } from '../domain/subscription-state.js';
import { TermDecisions, type TermDryRun } from './term-decisions.js';
import { DomainError } from '../../kernel/errors.js';

export interface Cancelled {
  readonly state: Subscription;
  readonly fullyBilled: boolean;
}

/** Ends one running term now. */
export class CancelSubscription extends Command<Cancelled> {
  constructor(
    readonly context: CommandContext,
    /** Undefined: an id that cannot be one. */
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
    private readonly billing: TermBilling,
  ) {}

  /** @throws DomainError `resource_not_found`, `invalid_state`; `amount_out_of_range` when it could not be invoiced */
  async execute({ context, subscriptionId, terms }: CancelSubscription): Promise<Cancelled> {
    // 1. The decision, and the invoice that will follow it, both before anything is written.
    const dryRun = await this.decisions.dryRun(context, subscriptionId, {
      type: 'CancelSubscription',
      terms,
    });
    if (terms.invoicing === 'invoice_now') await this.dryRunInvoice(context, dryRun);

    // 2. The end. The invoice and the place follow its event.
    const { state, revision } = await this.decisions.execute(context, dryRun);
    const fullyBilled = await this.billing.isFullyBilled(context, state, revision);
    return { state, fullyBilled };
  }

  private async dryRunInvoice(context: CommandContext, { after, decided }: TermDryRun): Promise<void> {
    if (after) await this.invoices.dryRun(context, [after], decided);
  }
}

/** `?preview=true` of a cancellation: the invoice on which it would be settled. Nothing is stored. */
export class PreviewCancel extends Query<PreviewedInvoices> {
  constructor(
    readonly context: CommandContext,
    /** Undefined: an id that cannot be one. */
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

  /** @throws DomainError what the cancellation would be refused with */
  async execute({ context, subscriptionId, terms }: PreviewCancel): Promise<PreviewedInvoices> {
    const { after } = await this.decisions.dryRun(context, subscriptionId, {
      type: 'CancelSubscription',
      terms,
    });
    if (!after) throw new DomainError('invalid_state', 'Subscription already ended');
    const billed = terms.invoicing === 'invoice_now' ? 'now' : 'next';
    return this.invoices.preview(context, [after], billed);
  }
}
