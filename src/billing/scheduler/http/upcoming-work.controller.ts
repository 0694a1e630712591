import { Controller, Get } from '@nestjs/common';
import { formatInstant } from '../../../kernel/instant.js';
import { Caller } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import {
  integer,
  listOf,
  named,
  noted,
  number,
  object,
  text,
  type WireOf,
} from '../../../platform/http/openapi/schema.js';
import { day, dateTime } from '../../../platform/http/openapi/values.js';
import { RawQuery, type QueryParams } from '../../../platform/http/query/query-params.js';
import { LONG_READ_COST, RequestCost } from '../../../platform/http/rate-limits/rate-limits.js';
import { UpcomingWorkReport } from '../upcoming-work-report.js';

const count = (description: string) => integer({ minimum: 0, description });

const UPCOMING_WORK = named(
  'UpcomingWork',
  object({
    as_of: noted(dateTime(), { description: "The organization's present time." }),
    until: noted(dateTime(), { description: 'End of the last day, exclusive.' }),
    days: noted(
      listOf(
        named(
          'UpcomingWorkOfDay',
          object({
            day: noted(day(), { description: 'Day in UTC; of today what is still to come.' }),
            boundaries: count('Subscriptions that renew or end.'),
            accounts: count('Accounts whose next billing run is on this day.'),
            payments: count('Unpaid invoices whose due date it is.'),
          }),
        ),
      ),
      { description: 'Each day from today on.' },
    ),
    payments: noted(
      listOf(
        named(
          'DuePayments',
          object({
            currency_code: text({ description: 'Currency of the amount (ISO 4217).' }),
            invoices: count('Unpaid invoices that fall due in these days.'),
            cost_due: number({ description: 'Sum of what is still to be paid of them.' }),
          }),
        ),
      ),
      { description: 'Payments that fall due in these days, by currency.' },
    ),
    waiting: count('Work that is due by now and not done, parked work included.'),
    parked: count('Work that could not be done; `listParkedWork` says why.'),
    late_usage: noted(
      object({
        windows: count('Closed windows with usage that came after their count; the next run counts it.'),
        examined: count('Windows that were examined: the 500 that ended last, of the last 30 days.'),
      }),
      { description: 'Usage that arrived after its window was billed.' },
    ),
  }),
);

const MAX_DAYS = 90;
const USUAL_DAYS = 7;
const SELECTION = {
  days: (q: QueryParams) => q.count('days', { min: 1, max: MAX_DAYS }) ?? USUAL_DAYS,
};

/** Shows the work that the scheduler will do for the organization (docs/contract.md#upcoming-work). */
@Controller('api/upcoming_work')
export class UpcomingWorkController {
  constructor(private readonly report: UpcomingWorkReport) {}

  @Get()
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Counts renewals, billing runs and payments of the next days, and what is late or parked.',
    answer: UPCOMING_WORK,
    query: SELECTION,
  })
  async getUpcomingWork(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<WireOf<typeof UPCOMING_WORK>> {
    const { asOf, until, days, payments, waiting, parked, late } = await this.report.read(
      org,
      query.read(SELECTION).days,
    );
    return {
      as_of: formatInstant(asOf),
      until: formatInstant(until),
      days,
      payments: payments.map(({ currency, invoices, cost_due: due }) => ({
        currency_code: currency,
        invoices,
        cost_due: Number(due),
      })),
      waiting,
      parked,
      late_usage: late,
    };
  }
}
