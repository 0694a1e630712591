import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PlanEvent } from '../../../src/catalog/domain/events.js';
import { planDecider } from '../../../src/catalog/domain/plan.js';
import type { PriceContent } from '../../../src/pricing/price-content.js';
import { contentHash } from '../../../src/kernel/canonical-json.js';
import {
  CUSTOMER_KEY,
  PLAN_ID,
  VERSION_ID,
  aPlanCommand,
  aPriceContent,
  aVersionDraft,
} from '../../support/builders/catalog.js';
import { NOW, given } from '../../support/given-when-then.js';

const publishedBy = (events: readonly PlanEvent[]) => {
  const event = events.find(({ type }) => type === 'PlanVersionPublished');
  return (event as Extract<PlanEvent, { type: 'PlanVersionPublished' }>).data.version;
};

/** Returns the value with the keys of every object in reverse order. */
function withKeysReversed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withKeysReversed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withKeysReversed(member)]);
  return Object.fromEntries(members.reverse()) as Value;
}

describe('creating a plan', () => {
  it('publishes its first version, active at once, with the hash of what it charges', () => {
    const draft = aVersionDraft();
    given(planDecider)
      .when(aPlanCommand())
      .then(
        {
          type: 'PlanCreated',
          data: {
            planId: PLAN_ID,
            name: 'Basic',
            description: null,
            duration: 'monthly',
            tags: [],
            externalLinks: [],
            createdAt: NOW,
          },
        },
        {
          type: 'PlanVersionPublished',
          data: {
            planId: PLAN_ID,
            version: {
              ...draft,
              number: 1,
              contentHash: contentHash(draft.content),
              activeFrom: NOW,
              createdAt: NOW,
            },
          },
        },
      );
  });

  it('happens once', () => {
    const history = given(planDecider).when(aPlanCommand()).decided();
    given(planDecider, history).when(aPlanCommand()).refuses('invalid_state');
  });

  it('makes a version for named customers a custom one, without a number', () => {
    const command = aPlanCommand({
      initialVersion: aVersionDraft({ number: 3, targetCustomerKeys: [CUSTOMER_KEY] }),
    });
    expect(publishedBy(given(planDecider).when(command).decided()).number).toBe('custom_version');
  });

  it('keeps a tag once, whatever its case, in the first spelling', () => {
    const [created] = given(planDecider)
      .when(aPlanCommand({ tags: ['Pro', 'eu', 'PRO', 'EU', 'new'] }))
      .decided();
    expect(created!.data).toHaveProperty('tags', ['Pro', 'eu', 'new']);
  });

  it('sells prepaid units, with default units or without', () => {
    const [component] = aPriceContent().components;
    for (const units of ['10', null]) {
      const prepaid = { units, behavior: 'full' } as const;
      const content = aPriceContent({ components: [{ ...component!, prepaid }] });
      const command = aPlanCommand({ initialVersion: aVersionDraft({ content }) });
      expect(given(planDecider).when(command).decided()).toHaveLength(2);
    }
  });

  it('folds into the plan with its version', () => {
    const events = given(planDecider).when(aPlanCommand()).decided();
    const state = events.reduce(planDecider.evolve, planDecider.initial());
    expect(state).toMatchObject({ planId: PLAN_ID, name: 'Basic', versions: [{ versionId: VERSION_ID }] });
  });
});

describe('the content hash of a version', () => {
  const hashOf = (content: PriceContent) =>
    publishedBy(
      given(planDecider)
        .when(aPlanCommand({ initialVersion: aVersionDraft({ content }) }))
        .decided(),
    ).contentHash;

  it('does not depend on the order of keys', () => {
    expect(hashOf(withKeysReversed(aPriceContent()))).toBe(hashOf(aPriceContent()));
  });

  it('changes with every price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }), (a, b) => {
        const [charge] = aPriceContent().recurringCharges;
        const priced = (amount: number) =>
          hashOf(aPriceContent({ recurringCharges: [{ ...charge!, amount: String(amount) }] }));
        expect(priced(a) === priced(b)).toBe(a === b);
      }),
    );
  });
});
