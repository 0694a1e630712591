import { Controller, Get, Param, Req, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { invalidFields } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import { pastMoment } from '../../../platform/as-of/moment.js';
import { Authentication, requireScope } from '../../../platform/http/auth/authentication.js';
import { Consistency } from '../../../platform/http/consistency/consistency.js';
import { FairRequestLimiter } from '../../../platform/http/rate-limits/fair-request-limiter.js';
import { RateLimits } from '../../../platform/http/rate-limits/rate-limits.js';
import { BaseUrl } from '../../../platform/http/server/base-url.js';
import { Caller, Public, RequireScope } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { file } from '../../../platform/http/openapi/schema.js';
import { RawQuery, type QueryParams } from '../../../platform/http/query/query-params.js';
import { GetInvoice } from '../../invoices/get-invoice.js';
import { GetInvoicePdf, type InvoicePdf } from '../get-invoice-pdf.js';
import { LINKED_INVOICE } from '../../invoices/http/invoice-schema.js';
import { InvoicePresenter } from '../../invoices/http/invoice-presenter.js';
import type { InvoiceResource } from '../../invoices/http/invoice-resource.js';
import { PDF_LINK, PdfLinks } from '../../invoices/http/pdf-links.js';

@Controller('api/invoices')
export class InvoicePdfController {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: InvoicePresenter,
    private readonly links: PdfLinks,
    private readonly authentication: Authentication,
    private readonly consistency: Consistency,
    private readonly limits: RateLimits,
    private readonly shares: FairRequestLimiter,
  ) {}

  /** The invoice with a link to its PDF, under both names (docs/contract.md#invoice-pdf). */
  @Get(':invoice_id/pdf_url')
  @Operation({
    summary: 'Returns the invoice with a link to its PDF, by id or number.',
    answer: LINKED_INVOICE,
  })
  async getInvoicePdfUrl(
    @Caller() { org }: Caller,
    @Param('invoice_id') name: string,
    @BaseUrl() baseUrl: string,
  ): Promise<InvoiceResource & { readonly url: string | null }> {
    const view = await this.queries.execute(new GetInvoice(org, name));
    const invoice = await this.presenter.presentOne(org, view, baseUrl);
    return { ...invoice, url: invoice.invoice_pdf };
  }

  /** A signed link needs no key; without a signature the caller's key must have the scope `read`. */
  @Public()
  @RequireScope('read')
  @Get(':invoice_id/pdf')
  @Operation({
    summary: 'Returns the PDF of an invoice, by a signed link or to an API key.',
    answer: file(),
    mediaType: 'application/pdf',
    refusals: {
      401: 'Without a signature: no API key, or one that is not valid.',
      403: 'The link is expired or altered, or the API key does not have the required scope.',
    },
    query: PDF_LINK,
  })
  async getInvoicePdf(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Param('invoice_id') name: string,
    @RawQuery() query: QueryParams,
  ): Promise<StreamableFile> {
    const isLink = query.sent().some(({ name: parameter }) => parameter === 'signature');
    if (!isLink) query.read(PDF_LINK);
    if (isLink && pastMoment()) {
      const detail = 'A signed link opens the document of the present. Leave out as_of, or the signature.';
      throw invalidFields({ code: 'invalid', detail, attr: 'as_of' });
    }
    const { number, bytes } = isLink
      ? await this.pdfOf(this.links.open(name, query))
      : await this.pdfOfKey(request, response, name);
    return new StreamableFile(bytes, {
      type: 'application/pdf',
      disposition: `inline; filename="invoice-${number}.pdf"`,
      length: bytes.length,
    });
  }

  private pdfOf({ org, invoiceId }: DocumentName): Promise<InvoicePdf> {
    return this.queries.execute(new GetInvoicePdf(org, invoiceId));
  }

  /**
   * Takes the steps of a request with a key, because a public route has no caller before its handler: it is charged, takes
   * its organization's share, and waits for the caller's writes.
   */
  private async pdfOfKey(request: Request, response: Response, name: string): Promise<InvoicePdf> {
    const caller = await this.authentication.authenticate(request);
    requireScope(caller, ['read']);
    const { org } = caller;
    this.limits.chargeRead(org);
    const read = () =>
      this.consistency.around(request, response, async () => {
        const { invoice } = await this.queries.execute(new GetInvoice(org, name));
        return this.pdfOf({ org, invoiceId: invoice.invoice_id as Uuid });
      });
    // A read as of a moment has its share already.
    if (pastMoment()) return read();
    return this.shares.run(org, read, { isBegun: true, hasLeft: () => request.socket.destroyed });
  }
}

interface DocumentName {
  readonly org: Uuid;
  readonly invoiceId: Uuid;
}
