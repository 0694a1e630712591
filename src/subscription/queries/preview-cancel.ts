import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { InvoicePreview, type PreviewedInvoices } from '../billing-ports.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { TermDecisions } from '../commands/term-decisions.js';
import type { CancelTerms } from '../domain/events.js';

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
