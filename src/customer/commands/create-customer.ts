import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { customerKeyOf } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { CustomerReader } from '../customer-directory.js';
import { customerDecider } from '../domain/customer.js';
import type { Customer } from '../domain/customer-state.js';
import { requireReverseCharge, type CustomerDetails } from '../domain/personal-data.js';
import { EmailClaims } from './email-claims.js';
import { ProfileSealer } from './profile-sealer.js';

export class CreateCustomer extends Command<Customer> {
  constructor(
    readonly context: CommandContext,
    readonly details: CustomerDetails,
  ) {
    super();
  }
}

@CommandHandler(CreateCustomer)
export class CreateCustomerHandler implements ICommandHandler<CreateCustomer> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly customers: CustomerReader,
    private readonly emails: EmailClaims,
    private readonly profiles: ProfileSealer,
  ) {}

  /** @throws DomainError `duplicate_resource` when the customer_id or the e-mail address is taken; `invalid`, `required` */
  async execute({ context, details }: CreateCustomer): Promise<Customer> {
    const { org } = context;
    const customerKey = customerKeyOf(org, details.personal.customerId);
    requireReverseCharge(details);
    const existing = await this.customers.load(org, customerKey);
    const register = async (leased: CommandContext): Promise<Customer> => {
      const profile = existing?.state ?? (await this.profiles.seal(org, customerKey, details));
      const command = { type: 'RegisterCustomer', customerKey, profile } as const;
      const { state } = await this.runner.run(customerDecider, customerKey, command, leased);
      return state!;
    };
    // An existing customer means a refusal or a repeat: neither claims an address nor seals data.
    if (existing) return register(context);
    return this.emails.holding(context, customerKey, details.personal.email, register);
  }
}
