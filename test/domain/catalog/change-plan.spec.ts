import { describe, expect, it } from '@jest/globals';
import type { PlanEvent } from '../../../src/catalog/domain/events.js';
import { planDecider, type PlanCommand } from '../../../src/catalog/domain/plan.js';
import type { VersionDraft } from '../../../src/catalog/domain/publish-version.js';
import { instant } from '../../../src/kernel/instant.js';
import {
  CUSTOMER_KEY,
  FEATURE_ID,
  PLAN_ID,
  VERSION_ID,
  aPlanCommand,
  aPriceContent,
  aVersionDraft,
} from '../../support/builders/catalog.js';
import { COMMAND_ID, NOW, given, refusalOf } from '../../support/given-when-then.js';

const SECOND_ID = '22222222-0000-4000-8000-000000000002';
const THIRD_ID = '22222222-0000-4000-8000-000000000003';
const OTHER_KEY = '55555555-0000-4000-8000-000000000002';

const decided = (history: readonly PlanEvent[], command: PlanCommand): PlanEvent[] => {
  const state = history.reduce(planDecider.evolve, planDecider.initial());
  return [...history, ...planDecider.decide({ ...command, now: NOW, commandId: COMMAND_ID }, state)];
};
const created = decided([], aPlanCommand({ tags: ['Public'] }));
const publication = (
  changes: Partial<VersionDraft>,
  makeActive: 'replace_on_renewal' | 'grandfather' | null,
): PlanCommand => ({
  type: 'PublishVersion',
  version: aVersionDraft({ versionId: SECOND_ID, number: null, ...changes }),
  makeActive,
});
const typesAfter = (history: readonly PlanEvent[], command: PlanCommand) =>
  given(planDecider, history)
    .when(command)
    .decided()
    .map(({ type }) => type);

describe('publishing a later version', () => {
  it('takes the place of the others in its currency when it is made active', () => {
    const change = { planId: PLAN_ID, versionId: VERSION_ID };
    const [, ...ending] = given(planDecider, created).when(publication({}, 'replace_on_renewal')).decided();
    expect(ending).toEqual([
      { type: 'PlanVersionWindowChanged', data: { ...change, activeFrom: NOW, activeTo: NOW } },
      { type: 'PlanVersionReplaced', data: { ...change, replacedBy: SECOND_ID } },
    ]);
  });

  it('leaves subscriptions where they are when it grandfathers them', () => {
    expect(typesAfter(created, publication({}, 'grandfather'))).toEqual([
      'PlanVersionPublished',
      'PlanVersionWindowChanged',
    ]);
  });

  it('ends nothing as a draft, in another currency, or for named customers', () => {
    const alone = ['PlanVersionPublished'];
    expect(typesAfter(created, publication({}, null))).toEqual(alone);
    const euros = aPriceContent({ currency: 'EUR' });
    expect(typesAfter(created, publication({ content: euros }, 'replace_on_renewal'))).toEqual(alone);
    const custom = publication({ targetCustomerKeys: [CUSTOMER_KEY] }, 'replace_on_renewal');
    expect(typesAfter(created, custom)).toEqual(alone);
  });

  it('leaves the end of a version as it was that ended before', () => {
    const ended = decided(created, {
      type: 'ChangeVersion',
      versionId: VERSION_ID,
      activeFrom: undefined,
      activeTo: instant('2026-01-15T12:00:00Z'),
      localizedName: undefined,
    });
    expect(typesAfter(ended, publication({}, 'replace_on_renewal'))).toEqual(['PlanVersionPublished']);
  });

  it('never gives a number away twice', () => {
    const twice = decided(created, publication({}, null));
    const deleted = decided(twice, { type: 'DeleteVersion', versionId: SECOND_ID, running: [] });
    const [third] = given(planDecider, deleted)
      .when(publication({ versionId: FEATURE_ID }, null))
      .decided();
    expect(third).toMatchObject({ data: { version: { number: 3 } } });
  });

  it('is refused under a number that is taken, and on a deleted plan', () => {
    given(planDecider, created)
      .when(publication({ number: 1 }, null))
      .refuses('duplicate_resource');
    given(planDecider).when(publication({}, null)).refuses('not_found');
    const deleted = decided(created, { type: 'DeletePlan', running: [] });
    given(planDecider, deleted).when(publication({}, null)).refuses('invalid_state');
  });
});

describe('changing a plan to what it is', () => {
  it.each<[string, PlanCommand]>([
    ['details', { type: 'ChangePlanDetails', name: 'Basic', description: undefined }],
    ['tags', { type: 'ChangePlanTags', how: 'add', tags: ['PUBLIC'] }],
    ['no tag less', { type: 'ChangePlanTags', how: 'remove', tags: ['other'] }],
    [
      'a feature',
      {
        type: 'AddPlanFeature',
        feature: { featureId: FEATURE_ID, name: 'support', description: null },
        versionIds: 'all',
      },
    ],
    [
      'public already',
      { type: 'ChangeVersionTargets', versionId: VERSION_ID, change: { how: 'make-public' } },
    ],
    [
      'window',
      {
        type: 'ChangeVersion',
        versionId: VERSION_ID,
        activeFrom: NOW,
        activeTo: null,
        localizedName: null,
      },
    ],
  ])('is no event: %s', (_, command) => {
    given(planDecider, created).when(command).nothing();
  });
});

describe('a plan with a version of the largest number', () => {
  const LARGEST = 2 ** 31 - 1;
  const full = decided(created, publication({ number: LARGEST }, null));
  const custom = decided(
    full,
    publication({ versionId: THIRD_ID, number: null, targetCustomerKeys: [OTHER_KEY] }, null),
  );
  const refusal = (history: readonly PlanEvent[], command: PlanCommand) =>
    refusalOf(given(planDecider, history).when(command).decided);

  it('refuses a version without a number, and says which numbers are allowed', () => {
    expect(refusal(full, publication({ versionId: THIRD_ID }, null))).toMatchObject({
      code: 'invalid_operation',
      detail: expect.stringContaining('a free number from 1 to 2147483647'),
    });
  });

  it('refuses to make a custom version public', () => {
    const opening = { type: 'ChangeVersionTargets', versionId: THIRD_ID, change: { how: 'make-public' } };
    expect(refusal(custom, opening as PlanCommand).code).toBe('invalid_operation');
  });

  it('takes custom versions, and public ones with a free number', () => {
    expect(custom.at(-1)).toMatchObject({ data: { version: { number: 'custom_version' } } });
    const free = decided(full, publication({ versionId: THIRD_ID, number: 2 }, null));
    expect(free.at(-1)).toMatchObject({ data: { version: { number: 2 } } });
  });
});

describe('targets of a version', () => {
  const running = [{ versionId: VERSION_ID, customerKey: CUSTOMER_KEY }];
  const targets = (how: 'add' | 'remove', ...customerKeys: string[]): PlanCommand => ({
    type: 'ChangeVersionTargets',
    versionId: VERSION_ID,
    change: { how, customerKeys, running },
  });

  it('take its number from it, and give the next one when it is made public', () => {
    const custom = decided(created, targets('add', CUSTOMER_KEY, OTHER_KEY));
    expect(custom.at(-1)).toMatchObject({ data: { number: 'custom_version' } });
    const opened = decided(custom, {
      type: 'ChangeVersionTargets',
      versionId: VERSION_ID,
      change: { how: 'make-public' },
    });
    expect(opened.at(-1)).toMatchObject({ data: { number: 1, targetCustomerKeys: [] } });
  });

  it('never shut out who is subscribed', () => {
    given(planDecider, created).when(targets('add', OTHER_KEY)).refuses('invalid_operation');
    const custom = decided(created, targets('add', CUSTOMER_KEY, OTHER_KEY));
    given(planDecider, custom).when(targets('remove', CUSTOMER_KEY)).refuses('invalid_operation');
    expect(typesAfter(custom, targets('remove', OTHER_KEY))).toEqual(['PlanVersionTargetsChanged']);
  });
});

describe('deleting a plan', () => {
  it('deletes each version, and is done once', () => {
    const deleted = decided(decided(created, publication({}, null)), { type: 'DeletePlan', running: [] });
    expect(deleted.slice(-3).map(({ type }) => type)).toEqual([
      'PlanVersionDeleted',
      'PlanVersionDeleted',
      'PlanDeleted',
    ]);
    given(planDecider, deleted).when({ type: 'DeletePlan', running: [] }).nothing();
  });

  it('is refused while somebody runs on any version', () => {
    const running = [{ versionId: VERSION_ID, customerKey: CUSTOMER_KEY }];
    given(planDecider, created).when({ type: 'DeletePlan', running }).refuses('invalid_operation');
  });
});
