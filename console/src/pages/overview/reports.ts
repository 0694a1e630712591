import { queryOptions } from '@tanstack/react-query';
import { recount } from '../../api/client.js';

/** Reports of the overview; each is one request. */
export const REPORTS = {
  revenue: queryOptions({
    queryKey: ['analytics', 'recurring-revenue'],
    queryFn: ({ signal }) => recount.getRecurringRevenue({}, { signal }),
  }),
  invoiced: queryOptions({
    queryKey: ['analytics', 'invoiced'],
    queryFn: ({ signal }) => recount.getInvoicedAmounts({}, { signal }),
  }),
  receivables: queryOptions({
    queryKey: ['analytics', 'receivables'],
    queryFn: ({ signal }) => recount.getReceivables({}, { signal }),
  }),
  credits: queryOptions({
    queryKey: ['analytics', 'credits'],
    queryFn: ({ signal }) => recount.getCreditBalances({}, { signal }),
  }),
  usage: queryOptions({
    queryKey: ['analytics', 'usage'],
    queryFn: ({ signal }) => recount.getUsageByDay({}, { signal }),
  }),
};
