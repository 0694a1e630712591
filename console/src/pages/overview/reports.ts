import { queryOptions } from '@tanstack/react-query';
import { recount } from '../../api/client.js';
import type { OverviewRange } from './range.js';

type Months = OverviewRange['months'];
type UsageRange = OverviewRange['usage'];

/** Reports of the overview; each is one request. */
export const REPORTS = {
  revenue: (months: Months) =>
    queryOptions({
      queryKey: ['analytics', 'recurring-revenue', months],
      queryFn: ({ signal }) => recount.getRecurringRevenue(months, { signal }),
    }),
  invoiced: (months: Months) =>
    queryOptions({
      queryKey: ['analytics', 'invoiced', months],
      queryFn: ({ signal }) => recount.getInvoicedAmounts(months, { signal }),
    }),
  receivables: queryOptions({
    queryKey: ['analytics', 'receivables'],
    queryFn: ({ signal }) => recount.getReceivables({}, { signal }),
  }),
  credits: (months: Months) =>
    queryOptions({
      queryKey: ['analytics', 'credits', months],
      queryFn: ({ signal }) => recount.getCreditBalances(months, { signal }),
    }),
  usage: (range: UsageRange) =>
    queryOptions({
      queryKey: ['analytics', 'usage', range],
      queryFn: ({ signal }) => recount.getUsageByDay(range, { signal }),
    }),
  usageByMetric: (range: UsageRange) =>
    queryOptions({
      queryKey: ['analytics', 'usage-by-metric', range],
      queryFn: ({ signal }) => recount.getUsageByMetric(range, { signal }),
    }),
};
