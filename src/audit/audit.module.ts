import { Module } from '@nestjs/common';
import { TermHistoryController } from './http/term-history.controller.js';
import { GetTermHistoryHandler } from './queries/get-term-history.js';

/** What happened and why, from the log itself: for auditors. */
@Module({
  controllers: [TermHistoryController],
  providers: [GetTermHistoryHandler],
})
export class AuditModule {}
