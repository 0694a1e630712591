import { Module } from '@nestjs/common';
import { AnalyticsController } from './http/analytics.controller.js';
import { AnalyticsReader } from './queries/analytics-reader.js';
import { MonthlyReports } from './queries/monthly-reports.js';
import { ReceivablesReport } from './queries/receivables-report.js';
import { UsageByDayReport } from './queries/usage-by-day.js';
import { UsageByMetricReport } from './queries/usage-by-metric.js';

/** Answers over all customers of an organization, from the analytics views. */
@Module({
  controllers: [AnalyticsController],
  providers: [AnalyticsReader, MonthlyReports, ReceivablesReport, UsageByDayReport, UsageByMetricReport],
})
export class AnalyticsModule {}
