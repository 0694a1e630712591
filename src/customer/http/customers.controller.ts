import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx, RequireScope } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { Page, RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { ChangeCustomer } from '../commands/change-customer.js';
import { CreateCustomer } from '../commands/create-customer.js';
import { DeleteCustomer } from '../commands/delete-customer.js';
import { EraseCustomer } from '../commands/erase-customer.js';
import { ProfileSealer } from '../commands/profile-sealer.js';
import type { Customer } from '../domain/customer-state.js';
import { CUSTOMER_ORDERINGS, GetCustomer, ListCustomers } from '../queries/customers.js';
import { ChangeCustomerBody, toPatch, CreateCustomerBody, toDetails } from './customer.body.js';
import { CustomerPresenter } from './customer-presenter.js';
import {
  CUSTOMER,
  CUSTOMER_PROFILE,
  DELETED_CUSTOMER,
  type CustomerProfileResource,
  type CustomerResource,
  type PresentableCustomer,
} from './customer-resource.js';

const SELECTION = {
  email: (q: QueryParams) => q.one('email'),
  ordering: (q: QueryParams) => q.choice('ordering', CUSTOMER_ORDERINGS),
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

@Controller('api/customers')
export class CustomersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly profiles: ProfileSealer,
    private readonly presenter: CustomerPresenter,
  ) {}

  @Post()
  @Operation({ summary: 'Creates a customer.', answer: CUSTOMER, body: CreateCustomerBody })
  async createCustomer(
    @Ctx() context: CommandContext,
    @Body() body: CreateCustomerBody,
  ): Promise<CustomerResource> {
    const state = await this.commands.execute(new CreateCustomer(context, toDetails(body)));
    return this.presenter.presentNew(context.org, await this.opened(context.org, state));
  }

  @Get()
  @Operation({ summary: 'Lists the customers.', answer: listOf(CUSTOMER), query: SELECTION })
  async listCustomers(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<Page<CustomerResource>> {
    const { page, ...selection } = query.read(SELECTION);
    const { rows, nextCursor } = await this.queries.execute(
      new ListCustomers(org, { ...selection, ...page }),
    );
    return new Page(await this.presenter.present(org, rows), nextCursor);
  }

  @Get(':customer_id')
  @Operation({ summary: 'Returns a customer.', answer: CUSTOMER })
  async getCustomer(
    @Caller() { org }: Caller,
    @Param('customer_id') customerId: string,
  ): Promise<CustomerResource> {
    return this.presenter.presentOne(org, await this.queries.execute(new GetCustomer(org, customerId)));
  }

  @Patch(':customer_id')
  @Operation({ summary: 'Changes the fields of a customer.', answer: CUSTOMER, body: ChangeCustomerBody })
  async updateCustomer(
    @Ctx() context: CommandContext,
    @Param('customer_id') customerId: string,
    @Body() body: ChangeCustomerBody,
  ): Promise<CustomerResource> {
    const command = new ChangeCustomer(context, { customerId, patch: toPatch(body) });
    const state = await this.commands.execute(command);
    return this.presenter.presentOne(context.org, await this.opened(context.org, state));
  }

  @Post(':customer_id/delete')
  @HttpCode(200)
  @Operation({
    summary: 'Ends every subscription of a customer and bills what was used.',
    answer: DELETED_CUSTOMER,
  })
  async deleteCustomer(@Ctx() context: CommandContext, @Param('customer_id') customerId: string) {
    const { state, subscriptionIds } = await this.commands.execute(
      new DeleteCustomer(context, customerKeyOf(context.org, customerId)),
    );
    return {
      ...(await this.profileOf(context.org, state)),
      num_subscriptions_canceled: subscriptionIds.length,
    };
  }

  /** Presents the customer without personal data. */
  @Post(':customer_id/erase')
  @HttpCode(200)
  @RequireScope('admin')
  @Operation({
    summary: 'Destroys the personal data of a customer; the books name nobody.',
    answer: CUSTOMER_PROFILE,
  })
  async eraseCustomer(
    @Ctx() context: CommandContext,
    @Param('customer_id') customerId: string,
  ): Promise<CustomerProfileResource> {
    const command = new EraseCustomer(context, customerKeyOf(context.org, customerId));
    return this.profileOf(context.org, await this.commands.execute(command));
  }

  private async profileOf(org: Uuid, state: Customer): Promise<CustomerProfileResource> {
    return (await this.presenter.profiles(org, [await this.opened(org, state)]))[0]!;
  }

  /** Returns the view of a customer right after a command, before the read models have it. */
  private async opened(org: Uuid, state: Customer): Promise<PresentableCustomer> {
    const details = await this.profiles.open(org, state);
    return { personal: undefined, open: state, ...details, customerKey: state.customerKey };
  }
}
