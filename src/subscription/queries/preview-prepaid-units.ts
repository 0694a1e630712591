import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { InvoicePreview, type PreviewedInvoices } from '../billing-ports.js';
import { DomainError } from '../../kernel/errors.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { changedBy, dryRunUnits, type ChangePrepaidUnitsInput } from '../commands/change-prepaid-units.js';
import { TermDecisions } from '../commands/term-decisions.js';

/** Previews the invoice of a change of prepaid units; none without `invoiceNow`. Nothing is stored. */
export class PreviewPrepaidUnits extends Query<PreviewedInvoices> {
  constructor(
    readonly context: CommandContext,
    readonly input: ChangePrepaidUnitsInput,
  ) {
    super();
  }
}

@QueryHandler(PreviewPrepaidUnits)
export class PreviewPrepaidUnitsHandler implements IQueryHandler<PreviewPrepaidUnits> {
  constructor(
    private readonly decisions: TermDecisions,
    private readonly queries: QueryBus,
    private readonly invoices: InvoicePreview,
  ) {}

  /** @throws DomainError what the change would be refused with */
  async execute({ context, input }: PreviewPrepaidUnits): Promise<PreviewedInvoices> {
    const dryRun = await dryRunUnits(this.decisions, this.queries, context, input);
    if (!dryRun.after) throw new DomainError('invalid_state', 'Subscription already ended');
    const changed = changedBy(dryRun);
    if (!changed || !input.invoiceNow) return { invoices: [] };
    return this.invoices.preview(context, [changed], 'now');
  }
}
