import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ClientDisconnected, Caller } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { listOf, named, object } from '../../../platform/http/openapi/schema.js';
import { LONG_READ_COST, RequestCost } from '../../../platform/http/rate-limits/rate-limits.js';
import { RawQuery, type QueryParams } from '../../../platform/http/query/query-params.js';
import { DraftInvoices } from '../draft-invoices.js';
import { INVOICE } from '../../invoices/http/invoice-schema.js';
import { InvoicePresenter } from '../../invoices/http/invoice-presenter.js';
import type { InvoiceResource } from '../../invoices/http/invoice-resource.js';

const DRAFT = { includeNextPeriod: (q: QueryParams) => q.flag('include_next_period', true) };

@Controller('api/customers')
export class DraftInvoicesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: InvoicePresenter,
  ) {}

  @Get(':customer_id/draft_invoice')
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary:
      'Computes the invoices that would be issued now and at the next boundary, one per currency; stores nothing.',
    answer: named('DraftInvoices', object({ invoices: listOf(INVOICE) })),
    query: DRAFT,
  })
  async getDraftInvoices(
    @Caller() { org }: Caller,
    @Param('customer_id') customerId: string,
    @RawQuery() query: QueryParams,
    @ClientDisconnected() signal: AbortSignal,
  ): Promise<{ readonly invoices: readonly InvoiceResource[] }> {
    const { includeNextPeriod } = query.read(DRAFT);
    const drafts = await this.queries.execute(new DraftInvoices(org, customerId, includeNextPeriod, signal));
    return { invoices: await this.presenter.present(org, drafts) };
  }
}
