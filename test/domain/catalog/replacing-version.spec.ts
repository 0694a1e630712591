import { describe, expect, it } from '@jest/globals';
import type { PlanVersion } from '../../../src/catalog/domain/plan-state.js';
import { resolveSwitchVersion } from '../../../src/catalog/domain/resolve-version.js';
import { instant } from '../../../src/kernel/instant.js';
import { CUSTOMER_KEY, aPlanVersion, aPriceContent } from '../../support/builders/catalog.js';
import { NOW, refusalOf } from '../../support/given-when-then.js';

const SOMEBODY_ELSE = '55555555-0000-4000-8000-000000000002';
const LATER = instant('2026-06-01T00:00:00Z');

const sold = (versionId: string, changes: Partial<PlanVersion> = {}, currency = 'USD') =>
  aPlanVersion({ versionId, content: aPriceContent({ currency }), ...changes });
const custom = (versionId: string, key: string) =>
  sold(versionId, { number: 'custom_version', targetCustomerKeys: [key] });
const over = { activeTo: NOW };
const deleted = { deletedAt: NOW };

const chosen = (versions: PlanVersion[]) =>
  resolveSwitchVersion(versions, { customerKey: CUSTOMER_KEY, currency: 'USD' }, NOW);

describe('the version that replace_plan_id means (docs/contract.md#update-by-filter)', () => {
  it.each<[string, PlanVersion[], string]>([
    ['the only one in the currency, also when it is over', [sold('a', over), sold('b', {}, 'EUR')], 'a'],
    ['the only one that was not deleted', [sold('a', deleted), sold('b')], 'b'],
    ['the only active one', [sold('a', over), sold('b'), sold('c', { activeFrom: LATER })], 'b'],
    ['the only one this customer may have', [sold('a'), custom('b', SOMEBODY_ELSE)], 'a'],
    ['the only one made for this customer', [sold('a'), custom('b', CUSTOMER_KEY)], 'b'],
  ])('%s', (_, versions, expected) => {
    expect(chosen(versions).versionId).toBe(expected);
  });

  it.each<[string, PlanVersion[], string]>([
    ['two public ones', [sold('a'), sold('b')], 'ambiguous_plan_version'],
    ['two that are over', [sold('a', over), sold('b', over)], 'ambiguous_plan_version'],
    ['none in the currency', [sold('a', {}, 'EUR')], 'invalid_operation'],
    ['only one of somebody else', [custom('a', SOMEBODY_ELSE)], 'invalid_operation'],
  ])('is refused: %s', (_, versions, expected) => {
    expect(refusalOf(() => chosen(versions)).code).toBe(expected);
  });
});
