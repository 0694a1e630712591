import { Readable } from 'node:stream';
import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { issuedInvoice, type IssuedInvoice } from '../../billing/accounts/issued-invoice.js';
import { Database } from '../../platform/database/open-database.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { file } from '../../platform/http/openapi/schema.js';
import { RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { LONG_READ_COST, RequestCost } from '../../platform/http/rate-limits/rate-limits.js';
import { EvidenceBundles } from '../evidence/evidence-bundle.js';

const SELECTION = {
  include: (q: QueryParams) => q.choices('include', ['pdf']),
  since: (q: QueryParams) => q.count('since'),
};

async function* only(invoice: IssuedInvoice): AsyncGenerator<IssuedInvoice> {
  yield invoice;
}

@Controller('api/invoices/:invoice_id/evidence')
export class EvidenceController {
  constructor(
    private readonly bundles: EvidenceBundles,
    private readonly database: Database,
  ) {}

  /** Everything that the invoice follows from, for `recount-verify` (docs/evidence-bundle.md). */
  @Get()
  @Header('Accept-Ranges', 'none')
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Exports the evidence of an invoice, to be verified elsewhere.',
    answer: file(),
    mediaType: 'application/zip',
    query: SELECTION,
  })
  async getInvoiceEvidence(
    @Caller() { org }: Caller,
    @Param('invoice_id') name: string,
    @RawQuery() query: QueryParams,
  ): Promise<StreamableFile> {
    const { include, since } = query.read(SELECTION);
    const invoice = await issuedInvoice(this.database, org, name);
    const archive = await this.bundles.open({
      org,
      invoices: () => only(invoice),
      withPdfs: include.includes('pdf'),
      since,
    });
    return new StreamableFile(Readable.from(archive, { objectMode: false }), {
      type: 'application/zip',
      disposition: `attachment; filename="evidence-${invoice.invoice_number}.zip"`,
    });
  }
}
