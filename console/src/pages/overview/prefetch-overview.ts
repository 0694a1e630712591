import { nowQuery } from '../../api/now.js';
import { organizationQuery } from '../../api/organization.js';
import { queryClient } from '../../api/query-client.js';
import { DEFAULT_RANGE } from './range.js';
import { REPORTS } from './reports.js';

/** Asks for the figures of the overview while its script is on the way. */
export function prefetchOverview(): void {
  const { months, usage } = DEFAULT_RANGE;
  void queryClient.prefetchQuery(REPORTS.revenue(months));
  void queryClient.prefetchQuery(REPORTS.invoiced(months));
  void queryClient.prefetchQuery(REPORTS.credits(months));
  void queryClient.prefetchQuery(organizationQuery);
  void queryClient.prefetchQuery(nowQuery);
  void queryClient.prefetchQuery(REPORTS.receivables);
  void queryClient.prefetchQuery(REPORTS.usage(usage));
  void queryClient.prefetchQuery(REPORTS.usageByMetric(usage));
}
