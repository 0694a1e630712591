import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { file } from '../../../platform/http/openapi/schema.js';
import { LONG_READ_COST, RequestCost } from '../../../platform/http/rate-limits/rate-limits.js';
import { GetEInvoice, GetEInvoicePdf } from '../get-e-invoice.js';

@Controller('api/invoices')
export class EInvoiceController {
  constructor(private readonly queries: QueryBus) {}

  /** Answers the XML of EN 16931 (docs/contract.md#e-invoice). */
  @Get(':invoice_id/e-invoice')
  @Operation({
    summary: 'Returns the EN 16931 e-invoice as XML, by id or number.',
    answer: file(),
    mediaType: 'application/xml',
  })
  async getEInvoice(@Caller() { org }: Caller, @Param('invoice_id') name: string): Promise<StreamableFile> {
    const { number, xml } = await this.queries.execute(new GetEInvoice(org, name));
    const bytes = Buffer.from(xml, 'utf8');
    return new StreamableFile(bytes, {
      type: 'application/xml',
      disposition: `attachment; filename="invoice-${number}.xml"`,
      length: bytes.length,
    });
  }

  /** Answers the PDF of the invoice with the XML of `getEInvoice` embedded (docs/contract.md#e-invoice), made at each request. */
  @Get(':invoice_id/e-invoice/pdf')
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Returns the PDF of an invoice with its e-invoice inside (Factur-X, ZUGFeRD), by id or number.',
    answer: file(),
    mediaType: 'application/pdf',
  })
  async getEInvoicePdf(
    @Caller() { org }: Caller,
    @Param('invoice_id') name: string,
  ): Promise<StreamableFile> {
    const { number, bytes } = await this.queries.execute(new GetEInvoicePdf(org, name));
    return new StreamableFile(bytes, {
      type: 'application/pdf',
      disposition: `attachment; filename="invoice-${number}.pdf"`,
      length: bytes.length,
    });
  }
}
