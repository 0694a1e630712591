import { integer, named, object, text } from '../platform/http/openapi/schema.js';
import { wireId } from '../platform/http/openapi/values.js';

/** Wire shape of a plan reference (docs/contract.md#plan-reference); the version of a custom version is 0. */
export const PLAN_REF = named(
  'PlanRef',
  object({
    plan_name: text(),
    plan_id: wireId('plan'),
    version_id: wireId('plan_version'),
    version: integer({ minimum: 0 }),
  }),
);
