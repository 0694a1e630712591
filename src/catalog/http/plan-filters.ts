import { QueryParams } from '../../platform/http/query-params.js';
import type { PlanFilters } from '../queries/select-plans.js';
import { DURATIONS } from './plan.body.js';

/** The query of GET /api/plans/ (api.md 4.1). */
export function readPlanFilters(query: QueryParams): PlanFilters {
  const tags = (name: string) => query.many(name).map((tag) => tag.toLowerCase());
  return {
    duration: query.choice('duration', DURATIONS),
    excludeTags: tags('exclude_tags'),
    includeTags: tags('include_tags'),
    includeTagsAll: tags('include_tags_all'),
    currency: query.one('version_currency_code'),
    customType: query.choice('version_custom_type', ['custom_only', 'public_only', 'all']),
    phases: query.choices('version_status', ['active', 'ended', 'not_started']),
  };
}
