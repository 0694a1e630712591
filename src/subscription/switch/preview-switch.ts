import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { InvoicePreview, type PreviewedInvoices } from '../billing-ports.js';
import { alreadyEnded } from '../domain/term-state.js';
import { PlanSwitches, type SwitchPlanInput } from './switch-plan.js';

/** Previews the invoice that settles a switch. Nothing is stored. */
export class PreviewSwitch extends Query<PreviewedInvoices> {
  constructor(
    readonly context: CommandContext,
    /** Undefined when the id in the request is malformed. */
    readonly subscriptionId: Uuid | undefined,
    readonly input: SwitchPlanInput,
  ) {
    super();
  }
}

@QueryHandler(PreviewSwitch)
export class PreviewSwitchHandler implements IQueryHandler<PreviewSwitch> {
  constructor(
    private readonly switches: PlanSwitches,
    private readonly invoices: InvoicePreview,
  ) {}

  /** @throws DomainError when the switch would be refused */
  async execute({ context, subscriptionId, input }: PreviewSwitch): Promise<PreviewedInvoices> {
    const dryRun = await this.switches.dryRun(context, subscriptionId, input);
    await this.switches.requireNoOverlap(context.org, dryRun);
    const { changed } = dryRun;
    if (changed.length === 0) throw alreadyEnded();
    const billed = input.terms.invoicing === 'invoice_now' ? 'now' : 'next';
    return this.invoices.preview(context, changed, billed);
  }
}
