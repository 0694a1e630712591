import { describe, expect, it } from '@jest/globals';
import { versionLabel } from '../../../console/src/pages/plan-version/version-labels.js';

describe('the field of an error', () => {
  it.each([
    ['plan_name', 'Name'],
    ['initial_version.currency_code', 'Currency'],
    ['initial_version.components.0.tiers.1.cost_per_batch', 'Usage price 1, Tier 2, Cost'],
    ['recurring_charges.2.amount', 'Charge 3, Amount'],
    ['components.0.prepaid_charge.units', 'Usage price 1, Charged, Prepaid units'],
    ['day_anchor', 'day anchor'],
  ])('%s is named %s, as the form does', (attr, label) => {
    expect(versionLabel(attr)).toBe(label);
  });
});
