import { toWireId } from '../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../kernel/instant.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import type { AccessTerm } from '../queries/running-terms.js';
import type { ACCESS_SUBSCRIPTION } from './access-schema.js';

/** The subscription of docs/contract.md#feature-access-result. */
export const presentTerm = (term: AccessTerm): Shown<typeof ACCESS_SUBSCRIPTION> => ({
  start_date: formatInstant(term.start),
  end_date: formatInstant(term.scheduledEnd ? plusMicros(term.end, -1n) : term.end),
  subscription_filters: term.filters.map(({ propertyName, value }) => ({
    property_name: propertyName,
    value,
  })),
  plan: {
    plan_name: term.planName,
    plan_id: toWireId('plan', term.planId),
    version_id: toWireId('plan_version', term.versionId),
    version: term.version ?? 0,
  },
});
