import { describe, expect, it } from '@jest/globals';
import type { PlanVersion } from '../../../src/catalog/domain/plan-state.js';
import { resolveVersion, type Subscriber } from '../../../src/catalog/domain/resolve-version.js';
import { instant } from '../../../src/kernel/instant.js';
import { CUSTOMER_KEY, aPlanVersion, aPriceContent } from '../../support/builders/catalog.js';
import { NOW, refusalOf } from '../../support/given-when-then.js';

const SOMEBODY_ELSE = '55555555-0000-4000-8000-000000000002';
const LATER = instant('2026-06-01T00:00:00Z');

const inCurrency = (currency: string, versionId: string, changes: Partial<PlanVersion> = {}) =>
  aPlanVersion({ versionId, content: aPriceContent({ currency }), ...changes });

const forCustomers = (versionId: string, ...targetCustomerKeys: string[]) =>
  aPlanVersion({ versionId, number: 'custom_version', targetCustomerKeys });

const subscriber = (changes: Partial<Subscriber> = {}): Subscriber => ({
  customerKey: CUSTOMER_KEY,
  currency: null,
  organizationCurrency: 'USD',
  ...changes,
});

describe('the version that a plan id means', () => {
  it.each<[string, PlanVersion[], Partial<Subscriber>, string]>([
    ['the only one, in whatever currency', [inCurrency('EUR', 'a')], {}, 'a'],
    [
      'the only active one',
      [
        inCurrency('USD', 'a', { activeTo: NOW }),
        inCurrency('USD', 'b'),
        inCurrency('USD', 'c', { activeFrom: LATER }),
      ],
      {},
      'b',
    ],
    ['the one made for the customer', [inCurrency('USD', 'a'), forCustomers('b', CUSTOMER_KEY)], {}, 'b'],
    ['never one made for somebody else', [inCurrency('EUR', 'a'), forCustomers('b', SOMEBODY_ELSE)], {}, 'a'],
    [
      'the one in the customer’s currency',
      [inCurrency('USD', 'a'), inCurrency('EUR', 'b')],
      { currency: 'EUR' },
      'b',
    ],
    ['else the one in the organization’s', [inCurrency('USD', 'a'), inCurrency('EUR', 'b')], {}, 'a'],
    [
      'the organization’s also when the customer’s is not sold',
      [inCurrency('USD', 'a'), inCurrency('EUR', 'b')],
      { currency: 'GBP' },
      'a',
    ],
  ])('is %s', (_, versions, changes, expected) => {
    expect(resolveVersion(versions, subscriber(changes), NOW).versionId).toBe(expected);
  });

  it.each<[string, PlanVersion[], Partial<Subscriber>]>([
    ['two are made for the customer', [forCustomers('a', CUSTOMER_KEY), forCustomers('b', CUSTOMER_KEY)], {}],
    [
      'two are sold in the customer’s currency',
      [inCurrency('EUR', 'a'), inCurrency('EUR', 'b'), inCurrency('USD', 'c')],
      { currency: 'EUR' },
    ],
    ['two are sold in the organization’s', [inCurrency('USD', 'a'), inCurrency('USD', 'b')], {}],
  ])('is ambiguous when %s', (_, versions, changes) => {
    const refusal = refusalOf(() => resolveVersion(versions, subscriber(changes), NOW));
    expect(refusal.code).toBe('ambiguous_plan_version');
  });

  it.each<[string, PlanVersion[]]>([
    ['no version is active', [inCurrency('USD', 'a', { activeFrom: null })]],
    ['the only one is made for somebody else', [forCustomers('a', SOMEBODY_ELSE)]],
    ['none is sold in either currency', [inCurrency('EUR', 'a'), inCurrency('GBP', 'b')]],
  ])('does not exist when %s', (_, versions) => {
    const refusal = refusalOf(() => resolveVersion(versions, subscriber(), NOW));
    expect(refusal.code).toBe('invalid_operation');
  });
});
