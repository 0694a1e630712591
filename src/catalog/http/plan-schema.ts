import { CUSTOMER_SUMMARY } from '../../customer/customer-schema.js';
import {
  integer,
  listOf,
  named,
  noted,
  nothing,
  nullable,
  object,
  oneOf,
  text,
} from '../../platform/http/openapi/schema.js';
import { wireId } from '../../platform/http/openapi/values.js';
import { DURATIONS } from './plan.body.js';
import { PLAN_VERSION } from './version-schema.js';

const DEPRECATED = { deprecated: true };

const EXTERNAL_LINK = named(
  'ExternalPlanLink',
  object({ source: oneOf(['provider_a', 'provider_b']), external_plan_id: text({ maxLength: 100 }) }),
);

/** Wire shape of a plan (docs/contract.md#plan). */
export const PLAN = named(
  'Plan',
  object({
    plan_id: wireId('plan'),
    plan_name: text(),
    plan_duration: nullable(oneOf(DURATIONS)),
    plan_description: nullable(text()),
    external_links: listOf(EXTERNAL_LINK),
    num_versions: integer({ minimum: 0 }),
    active_version: integer({ minimum: 0, description: 'The highest active public one; 0: none is active.' }),
    active_subscriptions: integer({ minimum: 0 }),
    tags: listOf(text({ pattern: '^[-a-zA-Z0-9_]+$' })),
    versions: listOf(PLAN_VERSION),
    parent_plan: noted(nothing(), DEPRECATED),
    target_customer: noted(nullable(CUSTOMER_SUMMARY), DEPRECATED),
    display_version: noted(PLAN_VERSION, DEPRECATED),
    status: noted(oneOf(['active', 'archived']), DEPRECATED),
  }),
);
