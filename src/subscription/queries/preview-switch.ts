import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { InvoicePreview, type PreviewedInvoices } from '../billing-ports.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { PlanSwitches, type SwitchPlanInput } from '../commands/plan-switches.js';

/** `?preview=true` of a switch: the invoice on which it would be settled. Nothing is stored. */
export class PreviewSwitch extends Query<PreviewedInvoices> {
  constructor(
    readonly context: CommandContext,
    /** Undefined: an id that cannot be one. */
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

  /** @throws DomainError what the switch would be refused with */
  async execute({ context, subscriptionId, input }: PreviewSwitch): Promise<PreviewedInvoices> {
    const dryRun = await this.switches.dryRun(context, subscriptionId, input);
    await this.switches.requireNoOverlap(context.org, dryRun);
    const { changed } = dryRun;
    if (changed.length === 0) throw new DomainError('invalid_state', 'Subscription already ended');
    const billed = input.terms.invoicing === 'invoice_now' ? 'now' : 'next';
    return this.invoices.preview(context, changed, billed);
  }
}
