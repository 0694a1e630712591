import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { customerKeyOf } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { CustomerReader } from '../customer-directory.js';
import { customerDecider } from '../domain/customer.js';
import { profileOf, type Customer } from '../domain/customer-state.js';
import { applyPatch, requireReverseCharge, type DetailsPatch } from '../domain/personal-data.js';
import { EmailClaims } from './email-claims.js';
import { ProfileSealer } from './profile-sealer.js';

export class ChangeCustomer extends Command<Customer> {
  constructor(
    readonly context: CommandContext,
    readonly input: { readonly customerId: string; readonly patch: DetailsPatch },
  ) {
    super();
  }
}

/** Attempts when other requests change the customer between reading and deciding. */
const ATTEMPTS = 5;

@CommandHandler(ChangeCustomer)
export class ChangeCustomerHandler implements ICommandHandler<ChangeCustomer> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly customers: CustomerReader,
    private readonly emails: EmailClaims,
    private readonly profiles: ProfileSealer,
  ) {}

  /**
   * Changes a customer, again after others have changed it meanwhile.
   * @throws DomainError `not_found`; `invalid`, `required` with reverse charge; `duplicate_resource` if another customer has the e-mail address; `conflict`
   */
  async execute(command: ChangeCustomer): Promise<Customer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.change(command);
      } catch (error) {
        const changedMeanwhile = error instanceof DomainError && error.code === 'conflict';
        if (!changedMeanwhile || attempt === ATTEMPTS) throw error;
      }
    }
  }

  private async change({ context, input }: ChangeCustomer): Promise<Customer> {
    const { org } = context;
    const customerKey = customerKeyOf(org, input.customerId);
    const read = await this.customers.loadPresent(org, customerKey);
    const before = read && (await this.profiles.open(org, read.state));
    if (!read || !before) throw new DomainError('not_found', unknownId('customer'));
    const after = applyPatch(before, input.patch);
    requireReverseCharge(after);
    return this.emails.holding(context, customerKey, after.personal.email, async (leased) => {
      const profile = await this.profiles.reseal(org, read.state, before, after);
      const { customerKey: _, ...basedOn } = profileOf(read.state);
      const decision = { type: 'ChangeCustomerDetails', basedOn, profile } as const;
      const { state } = await this.runner.run(customerDecider, customerKey, decision, leased);
      return state!;
    });
  }
}
