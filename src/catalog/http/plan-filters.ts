import type { PageRequest, QueryParams } from '../../platform/http/query/query-params.js';
import type { PlanFilters } from '../queries/select-plans.js';
import { DURATIONS } from './plan.body.js';

const CUSTOM_TYPES = ['custom_only', 'public_only', 'all'] as const;

const tags = (name: string) => (q: QueryParams) => q.many(name).map((tag) => tag.toLowerCase());

/** Query parameters of `GET /api/plans/` (docs/contract.md#list-plans). */
export const PLAN_FILTERS = {
  duration: (q: QueryParams) => q.choice('duration', DURATIONS),
  excludeTags: tags('exclude_tags'),
  includeTags: tags('include_tags'),
  includeTagsAll: tags('include_tags_all'),
  currency: (q: QueryParams) => q.currency('version_currency_code'),
  customType: (q: QueryParams) => q.choice('version_custom_type', CUSTOM_TYPES),
  phases: (q: QueryParams) => q.choices('version_status', ['active', 'ended', 'not_started']),
  page: (q: QueryParams) => q.page({ default: 1000, max: 1000 }),
};

export function readPlanFilters(query: QueryParams): { filters: PlanFilters; page: PageRequest } {
  const { page, ...filters } = query.read(PLAN_FILTERS);
  return { filters, page };
}
