import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CustomerDirectory } from '../../../customer/customer-directory.js';
import { fromWireId, type Uuid } from '../../../kernel/ids.js';
import { CLOCK, type Clock } from '../../../platform/clock/clock.js';
import type { CommandContext } from '../../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { listOf } from '../../../platform/http/openapi/schema.js';
import { Page, RawQuery, type QueryParams } from '../../../platform/http/query/query-params.js';
import { CreditDescriptions } from '../credit-descriptions.js';
import { ChangeCredit } from '../change-credit.js';
import { GrantCredit } from '../grant-credit.js';
import type { AccountCredit } from '../../accounts/domain/account-credits.js';
import { type CreditView, GetCredit } from '../get-credit.js';
import { CREDIT_ORDERINGS, CREDIT_STATUSES, ListCredits } from '../list-credits.js';
import { rowsOfCredit } from '../../read-models/credits.js';
import { GrantCreditBody, UpdateCreditBody, toCreditChanges, toGrant } from './credit.bodies.js';
import { CREDIT } from './credit-schema.js';
import { toCreditResource, type CreditResource } from './credit-resource.js';

const span = (name: string) => (q: QueryParams) => ({
  after: q.instant(`${name}_after`),
  before: q.instant(`${name}_before`),
});

const SELECTION = {
  customerId: (q: QueryParams) => q.required('customer_id', q.reference('customer_id', 'customer')),
  statuses: (q: QueryParams) => q.choices('status', CREDIT_STATUSES),
  currency: (q: QueryParams) => q.currency('currency_code'),
  expires: span('expires'),
  effective: span('effective'),
  issued: span('issued'),
  ordering: (q: QueryParams) => q.choice('ordering', CREDIT_ORDERINGS),
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

@Controller('api/credits')
export class CreditsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly customers: CustomerDirectory,
    private readonly descriptions: CreditDescriptions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @Operation({
    summary: 'Grants a customer a credit; one that is paid for brings its invoice.',
    answer: CREDIT,
    body: GrantCreditBody,
  })
  async createCredit(@Ctx() context: CommandContext, @Body() body: GrantCreditBody): Promise<CreditResource> {
    const command = new GrantCredit(context, toGrant(context.org, body));
    return this.presentState(context.org, await this.commands.execute(command));
  }

  @Get()
  @Operation({ summary: "Lists a customer's credits.", answer: listOf(CREDIT), query: SELECTION })
  async listCredits(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<Page<CreditResource>> {
    const { page, ...selection } = query.read(SELECTION);
    const now = await this.clock.now(org);
    const { rows, nextCursor } = await this.queries.execute(
      new ListCredits(org, { ...selection, ...page }, now),
    );
    return new Page(await this.present(org, rows), nextCursor);
  }

  @Get(':credit_id')
  @Operation({ summary: 'Returns a credit.', answer: CREDIT })
  async getCredit(@Caller() { org }: Caller, @Param('credit_id') id: string): Promise<CreditResource> {
    const view = await this.queries.execute(new GetCredit(org, fromWireId('credit', id)));
    return (await this.present(org, [view]))[0]!;
  }

  @Post(':credit_id/update')
  @HttpCode(200)
  @Operation({
    summary: 'Changes the description or the expiry of an active credit.',
    answer: CREDIT,
    body: UpdateCreditBody,
  })
  async updateCredit(
    @Ctx() context: CommandContext,
    @Param('credit_id') id: string,
    @Body() body: UpdateCreditBody,
  ): Promise<CreditResource> {
    const command = new ChangeCredit(context, fromWireId('credit', id), toCreditChanges(body));
    return this.presentState(context.org, await this.commands.execute(command));
  }

  @Post(':credit_id/void')
  @HttpCode(200)
  @Operation({ summary: 'Voids the rest of a credit.', answer: CREDIT })
  async voidCredit(@Ctx() context: CommandContext, @Param('credit_id') id: string): Promise<CreditResource> {
    const command = new ChangeCredit(context, fromWireId('credit', id), 'void');
    return this.presentState(context.org, await this.commands.execute(command));
  }

  private async presentState(org: Uuid, credit: AccountCredit): Promise<CreditResource> {
    return (await this.present(org, [rowsOfCredit(org, credit)]))[0]!;
  }

  private async present(org: Uuid, views: readonly CreditView[]): Promise<CreditResource[]> {
    const keys = views.map(({ credit }) => credit.customer_key);
    const [summaries, descriptions, now] = await Promise.all([
      this.customers.summaries(org, keys),
      this.descriptions.open(
        org,
        views.map(({ credit }) => credit),
      ),
      this.clock.now(org),
    ]);
    return views.map((view) => {
      const { credit_id: creditId, customer_key: customerKey } = view.credit;
      return toCreditResource(view, summaries.get(customerKey)!, descriptions.get(creditId), now);
    });
  }
}
