import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import { ExplainInvoice } from '../queries/explain-invoice.js';
import { INVOICE_EXPLANATION } from './audit-schema.js';
import { presentEvent } from './present-event.js';
import { presentExplainedLine } from './present-explained-line.js';

@Controller('api/invoices/:invoice_id/explain')
export class InvoiceExplanationController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation({
    summary: 'How each line of an invoice came about, by id or number.',
    answer: INVOICE_EXPLANATION,
  })
  async explain(
    @Caller() { org }: Caller,
    @Param('invoice_id') name: string,
  ): Promise<Shown<typeof INVOICE_EXPLANATION>> {
    const { number, computed, lines } = await this.queries.execute(new ExplainInvoice(org, name));
    const { invoiceId, asOf, policy, fingerprint, resultHash, inputs } = computed.data;
    const { data: _, ...event } = presentEvent(computed);
    return {
      invoice_id: toWireId('invoice', invoiceId),
      invoice_number: number,
      as_of: formatInstant(asOf),
      policy,
      fingerprint,
      result_hash: resultHash,
      computed_by: event,
      inputs,
      lines: lines.map(presentExplainedLine),
    };
  }
}
