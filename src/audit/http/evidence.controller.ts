import { Readable } from 'node:stream';
import { Controller, Get, Param, Req, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { issuedInvoice, type IssuedInvoice } from '../../billing/accounts/issued-invoice.js';
import { GetInvoicePdf } from '../../billing/pdf/get-invoice-pdf.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { Caller, isGranted } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { file } from '../../platform/http/openapi/schema.js';
import { RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { LONG_READ_COST, RequestCost } from '../../platform/http/rate-limits/rate-limits.js';
import { openTemporaryFile } from '../../platform/http/server/temporary-file.js';
import { Vault } from '../../platform/privacy/vault.js';
import { EvidenceBundles } from '../evidence/evidence-bundle.js';
import { BundleTags, type BundledContent } from './bundle-tags.js';

const SELECTION = {
  include: (q: QueryParams) => q.choices('include', ['pdf', 'personal_data']),
  since: (q: QueryParams) => q.count('since'),
};

async function* only(invoice: IssuedInvoice): AsyncGenerator<IssuedInvoice> {
  yield invoice;
}

@Controller('api/invoices/:invoice_id/evidence')
export class EvidenceController {
  constructor(
    private readonly bundles: EvidenceBundles,
    private readonly tags: BundleTags,
    private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** Everything that the invoice follows from, for `recount-verify` (docs/evidence-bundle.md). */
  @Get()
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Exports the evidence of an invoice, to be verified elsewhere.',
    answer: file(),
    mediaType: 'application/zip',
    partial: true,
    query: SELECTION,
  })
  async getInvoiceEvidence(
    @Caller() { org, scope }: Caller,
    @Param('invoice_id') name: string,
    @RawQuery() query: QueryParams,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { include, since } = query.read(SELECTION);
    if (include.includes('personal_data') && !isGranted(scope, ['admin']))
      throw new DomainError('permission_denied', NEEDS_ADMIN);
    const invoice = await issuedInvoice(this.database, org, name);
    // A document is made, and its hash recorded, before the bounds are fixed: the bundle has the event of its document.
    const content = await this.contentOf(org, invoice, include);
    const { pdf, hasPersonalData } = content;
    const cut = request.headers.range ? this.tags.boundsIn(org, ifRangeOf(request), content) : undefined;
    const bounds = cut ?? (await this.bundles.bounds(org));
    const archive = await this.bundles.open({
      org,
      invoices: () => only(invoice),
      ...(pdf && { pdfOf: async () => pdf }),
      withPersonalData: hasPersonalData !== undefined,
      since,
      bounds,
    });
    response.setHeader('Accept-Ranges', 'bytes');
    response.setHeader('ETag', this.tags.tagOf(org, bounds, content));
    const bytes = Readable.from(archive, { objectMode: false });
    return new StreamableFile(cut ? await rangeOf(bytes, request, response) : bytes, {
      type: 'application/zip',
      disposition: `attachment; filename="evidence-${invoice.invoice_number}.zip"`,
    });
  }

  /** Reads the content of a bundle that may change. */
  private async contentOf(
    org: Uuid,
    { invoice_id: id, customer_key: customerKey }: IssuedInvoice,
    include: readonly string[],
  ): Promise<BundledContent> {
    return {
      ...(include.includes('pdf') && { pdf: (await this.queries.execute(new GetInvoicePdf(org, id))).bytes }),
      ...(include.includes('personal_data') && {
        hasPersonalData: await this.vault.hasKey(org, customerKey),
      }),
    };
  }
}

const NEEDS_ADMIN =
  'Personal data in evidence requires an API key with the scope admin. Use such a key, or leave personal_data out of include.';

const ifRangeOf = ({ headers }: Request): string | undefined => headers['if-range'] as string | undefined;

/**
 * Writes a bundle to a temporary file and returns the range that the request asks for. A range that is not one range of the
 * bundle gets all of it, as RFC 9110 allows.
 */
async function rangeOf(bundle: Readable, request: Request, response: Response): Promise<Readable> {
  const spool = await openTemporaryFile();
  try {
    let size = 0;
    for await (const chunk of bundle as AsyncIterable<Buffer>) {
      await spool.writeFile(chunk);
      size += chunk.length;
    }
    const ranges = request.range(size);
    const range =
      Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0]! : undefined;
    if (!range) return spool.createReadStream({ start: 0 });
    response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
    return spool.createReadStream(range);
  } catch (error) {
    await spool.close();
    throw error;
  }
}
