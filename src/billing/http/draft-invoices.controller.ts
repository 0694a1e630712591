import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller } from '../../platform/http/caller.js';
import { RawQuery, type QueryParams } from '../../platform/http/query-params.js';
import { DraftInvoices } from '../queries/draft-invoices.js';
import { InvoicePresenter } from './invoice-presenter.js';
import type { InvoiceResource } from './invoice-resource.js';

@Controller('api/customers')
export class DraftInvoicesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: InvoicePresenter,
  ) {}

  @Get(':customer_id/draft_invoice')
  async drafts(
    @Caller() { org }: Caller,
    @Param('customer_id') customerId: string,
    @RawQuery() query: QueryParams,
  ): Promise<{ readonly invoices: readonly InvoiceResource[] }> {
    const includeNextPeriod = query.flag('include_next_period', true);
    const drafts = await this.queries.execute(new DraftInvoices(org, customerId, includeNextPeriod));
    return { invoices: await this.presenter.present(org, drafts) };
  }
}
