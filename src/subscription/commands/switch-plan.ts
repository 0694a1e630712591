import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { InvoicePreview } from '../billing-ports.js';
import type { Subscription } from '../domain/subscription-state.js';
import { PlanSwitches, type SwitchPlanInput } from './plan-switches.js';

export interface Switched {
  /** The new subscription. */
  readonly successor: Subscription;
}

/** Ends a running term now and begins its successor on another plan version (docs/contract.md#switch-a-plan). */
export class SwitchPlan extends Command<Switched> {
  constructor(
    readonly context: CommandContext,
    /** Undefined: an id that cannot be one. */
    readonly subscriptionId: Uuid | undefined,
    readonly input: SwitchPlanInput,
  ) {
    super();
  }
}

@CommandHandler(SwitchPlan)
export class SwitchPlanHandler implements ICommandHandler<SwitchPlan> {
  constructor(
    private readonly switches: PlanSwitches,
    private readonly invoices: InvoicePreview,
  ) {}

  /**
   * @throws DomainError `resource_not_found`, `does_not_exist`, `invalid_state`, `invalid_operation`,
   *   `ambiguous_plan_version`, `overlapping_plans`, `prepayment_cant_determine_units`, `amount_out_of_range`
   */
  async execute({ context, subscriptionId, input }: SwitchPlan): Promise<Switched> {
    // 1. The decision, and the invoice that will follow it, both before anything is written.
    const dryRun = await this.switches.dryRun(context, subscriptionId, input);
    const { changed, decided } = dryRun;
    if (changed[0] && input.terms.invoicing === 'invoice_now') {
      await this.invoices.dryRun(context, changed, decided);
    }

    // 2. The place, then the switch. The new subscription's stream and the invoice follow its event. Where the term has
    // ended since, the switch is decided on that, and refused.
    await this.switches.reserve(context, dryRun);
    return { successor: await this.switches.execute(context, dryRun) };
  }
}
