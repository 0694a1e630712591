import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, RequireScope } from '../../platform/http/caller.js';
import { Page } from '../../platform/http/page.js';
import { RawQuery, type QueryParams } from '../../platform/http/query-params.js';
import { GetInvoice } from '../queries/get-invoice.js';
import { LISTED, ListInvoices } from '../queries/list-invoices.js';
import { VerifyInvoice } from '../queries/verify-invoice.js';
import { InvoicePresenter } from './invoice-presenter.js';
import type { InvoiceResource } from './invoice-resource.js';

@Controller('api/invoices')
export class InvoicesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: InvoicePresenter,
  ) {}

  /** `status` and `payment_status` are one parameter under two names (api-completed.md section 2). */
  @Get()
  async list(@Caller() { org }: Caller, @RawQuery() query: QueryParams): Promise<Page<InvoiceResource>> {
    const { rows, nextCursor } = await this.queries.execute(
      new ListInvoices(org, {
        customerId: query.one('customer_id'),
        statuses: [...query.choices('status', LISTED), ...query.choices('payment_status', LISTED)],
        ...query.page({ default: 100, max: 1000 }),
      }),
    );
    return new Page(await this.presenter.present(org, rows), nextCursor);
  }

  @Get(':invoice_id')
  async one(@Caller() { org }: Caller, @Param('invoice_id') name: string): Promise<InvoiceResource> {
    return this.presenter.presentOne(org, await this.queries.execute(new GetInvoice(org, name)));
  }

  /** Only reads: computes the invoice again from the log and says what differs. */
  @Post(':invoice_id/verify')
  @HttpCode(200)
  @RequireScope('read')
  async verify(@Caller() { org }: Caller, @Param('invoice_id') name: string): Promise<object> {
    const { ok, fingerprint, resultHash, differences } = await this.queries.execute(
      new VerifyInvoice(org, name),
    );
    return { ok, fingerprint, result_hash: resultHash, differences };
  }
}
