import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx, RequireScope } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { Page } from '../../platform/http/query/page.js';
import { RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { ChangeCustomer } from '../commands/change-customer.js';
import { CreateCustomer } from '../commands/create-customer.js';
import { DeleteCustomer } from '../commands/delete-customer.js';
import { EraseCustomer } from '../commands/erase-customer.js';
import { ProfileSealer } from '../commands/profile-sealer.js';
import type { Customer } from '../domain/customer-state.js';
import { GetCustomer, ListCustomers } from '../queries/customers.js';
import { ChangeCustomerBody, toPatch, CreateCustomerBody, toDetails } from './customer.body.js';
import { CUSTOMER, DELETED_CUSTOMER, toResource, type CustomerResource } from './customer-resource.js';

const PAGE = { page: (q: QueryParams) => q.page({ default: 100, max: 1000 }) };

@Controller('api/customers')
export class CustomersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly profiles: ProfileSealer,
  ) {}

  @Post()
  @Operation({ summary: 'Creates a customer.', answer: CUSTOMER, body: CreateCustomerBody })
  async create(@Ctx() context: CommandContext, @Body() body: CreateCustomerBody): Promise<CustomerResource> {
    return this.present(
      context.org,
      await this.commands.execute(new CreateCustomer(context, toDetails(body))),
    );
  }

  @Get()
  @Operation({ summary: 'All customers.', answer: listOf(CUSTOMER), query: PAGE })
  async list(@Caller() { org }: Caller, @RawQuery() query: QueryParams): Promise<Page<CustomerResource>> {
    const page = PAGE.page(query);
    const { rows, nextCursor } = await this.queries.execute(new ListCustomers(org, page));
    return new Page(rows.map(toResource), nextCursor);
  }

  @Get(':customer_id')
  @Operation({ summary: 'One customer.', answer: CUSTOMER })
  async one(@Caller() { org }: Caller, @Param('customer_id') customerId: string): Promise<CustomerResource> {
    return toResource(await this.queries.execute(new GetCustomer(org, customerId)));
  }

  @Patch(':customer_id')
  @Operation({ summary: 'Changes what is known of a customer.', answer: CUSTOMER, body: ChangeCustomerBody })
  async change(
    @Ctx() context: CommandContext,
    @Param('customer_id') customerId: string,
    @Body() body: ChangeCustomerBody,
  ): Promise<CustomerResource> {
    const command = new ChangeCustomer(context, { customerId, patch: toPatch(body) });
    return this.present(context.org, await this.commands.execute(command));
  }

  @Post(':customer_id/delete')
  @HttpCode(200)
  @Operation({
    summary: 'Ends every subscription of a customer and bills what was used.',
    answer: DELETED_CUSTOMER,
  })
  async delete(@Ctx() context: CommandContext, @Param('customer_id') customerId: string) {
    const { state, subscriptionIds } = await this.commands.execute(
      new DeleteCustomer(context, customerKeyOf(context.org, customerId)),
    );
    const shown = await this.present(context.org, state);
    return { ...shown, num_subscriptions_canceled: subscriptionIds.length };
  }

  /** Presents the customer without personal data. */
  @Post(':customer_id/erase')
  @HttpCode(200)
  @RequireScope('admin')
  @Operation({
    summary: 'Destroys the personal data of a customer; the books name nobody.',
    answer: CUSTOMER,
  })
  async erase(
    @Ctx() context: CommandContext,
    @Param('customer_id') customerId: string,
  ): Promise<CustomerResource> {
    const command = new EraseCustomer(context, customerKeyOf(context.org, customerId));
    return this.present(context.org, await this.commands.execute(command));
  }

  /** Presents the state right after the command, so the answer is never stale. */
  private async present(org: Uuid, customer: Customer): Promise<CustomerResource> {
    const details = await this.profiles.open(org, customer);
    return toResource(details ?? { personal: undefined, open: customer });
  }
}
