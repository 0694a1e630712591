import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { BaseUrl } from '../../../platform/http/server/base-url.js';
import { Caller, Public } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { file } from '../../../platform/http/openapi/schema.js';
import { RawQuery, type QueryParams } from '../../../platform/http/query/query-params.js';
import { GetInvoice } from '../../invoices/get-invoice.js';
import { GetInvoicePdf } from '../get-invoice-pdf.js';
import { LINKED_INVOICE } from '../../invoices/http/invoice-schema.js';
import { InvoicePresenter } from '../../invoices/http/invoice-presenter.js';
import type { InvoiceResource } from '../../invoices/http/invoice-resource.js';
import { PDF_LINK, PdfLinks } from './pdf-links.js';

@Controller('api/invoices')
export class InvoicePdfController {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: InvoicePresenter,
    private readonly links: PdfLinks,
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

  /** No key: the link is signed. */
  @Public()
  @Get(':invoice_id/pdf')
  @Operation({
    summary: 'Returns the PDF of an invoice; the link is signed and takes no key.',
    answer: file(),
    mediaType: 'application/pdf',
    query: PDF_LINK,
    noPast:
      'A link opens the document of the present, and carries no key that a read of the past is charged to.',
  })
  async getInvoicePdf(
    @Param('invoice_id') id: string,
    @RawQuery() query: QueryParams,
  ): Promise<StreamableFile> {
    const { org, invoiceId } = this.links.open(id, query);
    const { number, bytes } = await this.queries.execute(new GetInvoicePdf(org, invoiceId));
    return new StreamableFile(bytes, {
      type: 'application/pdf',
      disposition: `inline; filename="invoice-${number}.pdf"`,
      length: bytes.length,
    });
  }
}
