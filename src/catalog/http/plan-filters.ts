import type { PageRequest, QueryParams } from '../../platform/http/query-params.js';
import type { PlanFilters } from '../queries/select-plans.js';
import { DURATIONS } from './plan.body.js';

const CUSTOM_TYPES = ['custom_only', 'public_only', 'all'] as const;

/** The query of GET /api/plans/ (api.md 4.1). */
export function readPlanFilters(query: QueryParams): { filters: PlanFilters; page: PageRequest } {
  const tags = (name: string) => (q: QueryParams) => q.many(name).map((tag) => tag.toLowerCase());
  const { page, ...filters } = query.read({
    duration: (q) => q.choice('duration', DURATIONS),
    excludeTags: tags('exclude_tags'),
    includeTags: tags('include_tags'),
    includeTagsAll: tags('include_tags_all'),
    currency: (q) => q.one('version_currency_code'),
    customType: (q) => q.choice('version_custom_type', CUSTOM_TYPES),
    phases: (q) => q.choices('version_status', ['active', 'ended', 'not_started']),
    page: (q) => q.page({ default: 1000, max: 1000 }),
  });
  return { filters, page };
}
