import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsFlag, Nullable } from '../../../platform/http/validation/validators.js';
import type { ExternalPayment } from '../../accounts/domain/event-data.js';
import type { PaymentChanges } from '../domain/payment-decisions.js';
import { INVOICE_ORDERINGS, LISTED_STATUSES, ListInvoices } from '../list-invoices.js';
import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../../platform/eventsourcing/command-runner/command-context.js';
import { BaseUrl } from '../../../platform/http/server/base-url.js';
import { Caller, ClientDisconnected, Ctx, RequireScope } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { either, listOf, type WireOf } from '../../../platform/http/openapi/schema.js';
import { PREVIEW, Page, type QueryParams, RawQuery } from '../../../platform/http/query/query-params.js';
import { LONG_READ_COST, RequestCost } from '../../../platform/http/rate-limits/rate-limits.js';
import type { PreviewedInvoices } from '../../../subscription/billing-ports.js';
import { INVOICE_PREVIEW } from '../../../subscription/preview-schema.js';
import { ChangePayment } from '../change-payment.js';
import { PreviewVoid, VoidInvoice } from '../../voids/void-invoice.js';
import { GetInvoice } from '../get-invoice.js';
import { VerifyInvoice } from '../../verification/verify-invoice.js';
import { withPayment } from '../invoice-view.js';
import { INVOICE, VERIFICATION } from './invoice-schema.js';
import { InvoicePresenter } from './invoice-presenter.js';
import type { InvoiceResource } from './invoice-resource.js';

const PROVIDERS = ['provider_a', 'provider_b'];

/** PATCH /api/invoices/{invoice_id}/: what is left out stays, null clears a link. */
export class ChangePaymentBody {
  @IsOptional() @IsIn(LISTED_STATUSES) payment_status?: (typeof LISTED_STATUSES)[number];
  @Nullable() @IsString() @MaxLength(200) external_payment_obj_id?: string | null;
  @Nullable() @IsIn(PROVIDERS) external_payment_obj_type?: ExternalPayment['type'];
  @Nullable() @IsString() @MaxLength(200) external_payment_obj_status?: string | null;
}

/** POST /api/invoices/{invoice_id}/void/. */
export class VoidInvoiceBody {
  @IsOptional() @IsFlag() rebill?: boolean;
}

function toPaymentChanges(body: ChangePaymentBody): PaymentChanges {
  const link = {
    id: body.external_payment_obj_id,
    type: body.external_payment_obj_type,
    status: body.external_payment_obj_status,
  };
  return {
    ...(body.payment_status === undefined ? {} : { status: body.payment_status }),
    payment: Object.fromEntries(Object.entries(link).filter(([, value]) => value !== undefined)),
  };
}

const INVOICE_OR_PREVIEW = either(INVOICE, INVOICE_PREVIEW);

const SELECTION = {
  customerId: (q: QueryParams) => q.reference('customer_id', 'customer'),
  status: (q: QueryParams) => q.choices('status', LISTED_STATUSES),
  paymentStatus: (q: QueryParams) => q.choices('payment_status', LISTED_STATUSES),
  voided: (q: QueryParams) => q.flag('voided', false),
  includeVoided: (q: QueryParams) => q.flag('include_voided', false),
  overdue: (q: QueryParams) => q.flag('overdue', false),
  currency: (q: QueryParams) => q.currency('currency_code'),
  invoiceNumber: (q: QueryParams) => q.one('invoice_number'),
  issued: (q: QueryParams) => ({ after: q.instant('issued_after'), before: q.instant('issued_before') }),
  ordering: (q: QueryParams) => q.choice('ordering', INVOICE_ORDERINGS),
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

@Controller('api/invoices')
export class InvoicesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly presenter: InvoicePresenter,
  ) {}

  /** `status` and `payment_status` are one parameter under two names (docs/contract.md#list-invoices). */
  @Get()
  @Operation({
    summary: 'Lists the issued invoices, the newest first or as you order them; the voided ones apart.',
    answer: listOf(INVOICE),
    query: SELECTION,
  })
  async listInvoices(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
    @BaseUrl() baseUrl: string,
  ): Promise<Page<InvoiceResource>> {
    const { status, paymentStatus, page, ...filters } = query.read(SELECTION);
    const { rows, nextCursor } = await this.queries.execute(
      new ListInvoices(org, { ...filters, statuses: [...status, ...paymentStatus], ...page }),
    );
    return new Page(await this.presenter.present(org, rows, baseUrl), nextCursor);
  }

  @Get(':invoice_id')
  @Operation({ summary: 'Returns an invoice, by id or number.', answer: INVOICE })
  async getInvoice(
    @Caller() { org }: Caller,
    @Param('invoice_id') name: string,
    @BaseUrl() baseUrl: string,
  ): Promise<InvoiceResource> {
    const view = await this.queries.execute(new GetInvoice(org, name));
    return this.presenter.presentOne(org, view, baseUrl);
  }

  /** Records that the invoice was paid, and the object at the payment provider. */
  @Patch(':invoice_id')
  @Operation({
    summary: 'Records a payment, or the object that stands for it at the payment provider.',
    answer: INVOICE,
    body: ChangePaymentBody,
  })
  async updateInvoice(
    @Ctx() context: CommandContext,
    @Param('invoice_id') name: string,
    @Body() body: ChangePaymentBody,
    @BaseUrl() baseUrl: string,
  ): Promise<InvoiceResource> {
    const invoice = await this.commands.execute(new ChangePayment(context, name, toPaymentChanges(body)));
    const view = await this.queries.execute(new GetInvoice(context.org, name));
    return this.presenter.presentOne(context.org, withPayment(view, invoice), baseUrl);
  }

  /** Answers the voided invoice; with `rebill` the next one is issued already. */
  @Post(':invoice_id/void')
  @HttpCode(200)
  @Operation({
    summary: 'Voids an issued invoice, or shows the invoice that bills its amounts again.',
    answer: INVOICE_OR_PREVIEW,
    body: VoidInvoiceBody,
    query: PREVIEW,
  })
  async voidInvoice(
    @Ctx() context: CommandContext,
    @Param('invoice_id') name: string,
    @Body() { rebill = false }: VoidInvoiceBody,
    @RawQuery() query: QueryParams,
    @BaseUrl() baseUrl: string,
  ): Promise<InvoiceResource | PreviewedInvoices> {
    if (query.read(PREVIEW).preview) {
      const drafts = await this.queries.execute(new PreviewVoid(context, name, rebill));
      return { invoices: await this.presenter.present(context.org, drafts) };
    }
    const invoice = await this.commands.execute(new VoidInvoice(context, name, rebill));
    const view = await this.queries.execute(new GetInvoice(context.org, name));
    return this.presenter.presentOne(context.org, withPayment(view, invoice), baseUrl);
  }

  /** Computes the invoice again from the log and answers the differences. It changes nothing. */
  @Post(':invoice_id/verify')
  @RequestCost(LONG_READ_COST)
  @HttpCode(200)
  @RequireScope('read')
  @Operation({
    summary: 'Computes an invoice again from the log and names the differences.',
    answer: VERIFICATION,
  })
  async verifyInvoice(
    @Caller() { org }: Caller,
    @Param('invoice_id') name: string,
    @ClientDisconnected() signal: AbortSignal,
  ): Promise<WireOf<typeof VERIFICATION>> {
    const { ok, fingerprint, resultHash, differences } = await this.queries.execute(
      new VerifyInvoice(org, name, signal),
    );
    return { ok, fingerprint, result_hash: resultHash, differences };
  }
}
