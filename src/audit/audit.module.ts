import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { Doctor } from './doctor/doctor.js';
import { InvoiceExplanationController } from './http/invoice-explanation.controller.js';
import { TermHistoryController } from './http/term-history.controller.js';
import { ExplainInvoiceHandler } from './queries/explain-invoice.js';
import { GetTermHistoryHandler } from './queries/get-term-history.js';

/** Shows what happened and why, from the log itself: for auditors. */
@Module({
  imports: [CatalogModule, MeteringModule],
  controllers: [InvoiceExplanationController, TermHistoryController],
  providers: [Doctor, ExplainInvoiceHandler, GetTermHistoryHandler],
})
export class AuditModule {}
