import { describe, expect, it } from '@jest/globals';
import { resolveRenewalVersion } from '../../../src/catalog/domain/resolve-version.js';
import type { PlanVersion } from '../../../src/catalog/domain/plan-state.js';
import { instant } from '../../../src/kernel/instant.js';
import { CUSTOMER_KEY, aPlanVersion } from '../../support/builders/catalog.js';

const version = (versionId: string, replacedBy: string | null, changes: Partial<PlanVersion> = {}) =>
  aPlanVersion({ versionId, replacedBy, ...changes });
const renewing = (from: string, ...versions: PlanVersion[]) =>
  resolveRenewalVersion(versions, from, CUSTOMER_KEY)?.versionId;

describe('the version that a subscription renews to', () => {
  it('is its own where none replaces it, or where it replaces itself', () => {
    expect(renewing('a', version('a', null), version('b', null))).toBe('a');
    expect(renewing('a', version('a', 'a'), version('b', null))).toBe('a');
  });

  it('is its replacement, past what was replaced in turn', () => {
    expect(renewing('a', version('a', 'b'), version('b', null))).toBe('b');
    expect(renewing('a', version('a', 'b'), version('b', 'c'), version('c', null))).toBe('c');
    expect(renewing('a', version('a', 'b'), version('b', 'b'), version('c', null))).toBe('b');
  });

  it('is found also where versions replace each other in a circle', () => {
    expect(renewing('a', version('a', 'b'), version('b', 'a'))).toBe('b');
  });

  it('is never one that is deleted or made for other customers', () => {
    const deleted = version('b', null, { deletedAt: instant('2026-01-10') });
    expect(renewing('a', version('a', 'b'), deleted)).toBe('a');
    const forOthers = version('b', null, { targetCustomerKeys: ['somebody else'] });
    expect(renewing('a', version('a', 'b'), forOthers)).toBe('a');
    const forThem = version('b', null, { targetCustomerKeys: [CUSTOMER_KEY] });
    expect(renewing('a', version('a', 'b'), forThem)).toBe('b');
  });

  it('is unknown where the plan has no such version', () => {
    expect(renewing('z', version('a', null))).toBeUndefined();
  });
});
