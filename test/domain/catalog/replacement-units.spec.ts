import { describe, expect, it } from '@jest/globals';
import type { PlanVersion } from '../../../src/catalog/domain/plan-state.js';
import { requireDefaultUnits } from '../../../src/catalog/domain/change-version.js';
import { planDecider } from '../../../src/catalog/domain/plan.js';
import {
  VERSION_ID,
  aPlanCommand,
  aPlanVersion,
  aPriceContent,
  aVersionDraft,
} from '../../support/builders/catalog.js';
import { COMMAND_ID, NOW, given, refusalOf } from '../../support/given-when-then.js';

const [component] = aPriceContent().components;
type Units = string | null | 'none';
const content = (units: Units) =>
  aPriceContent({
    components: [{ ...component!, prepaid: units === 'none' ? null : { units, behavior: 'full' as const } }],
  });
const version = (versionId: string, units: Units, replacedBy: string | null = null): PlanVersion =>
  aPlanVersion({ versionId, replacedBy, content: content(units) });

describe('a replacement with prepaid units', () => {
  it('needs default units, unless the version it replaces had units of the metric', () => {
    const refused = refusalOf(() => requireDefaultUnits([version('a', 'none', 'b'), version('b', null)]));
    expect(refused.code).toBe('prepayment_cant_determine_units');
    requireDefaultUnits([version('a', 'none', 'b'), version('b', '0')]);
    requireDefaultUnits([version('a', null, 'b'), version('b', null)]);
    requireDefaultUnits([version('a', null, 'b'), version('b', 'none')]);
    requireDefaultUnits([version('a', 'none'), version('b', null)]);
  });

  it('needs them also where it is reached over others, and circles end', () => {
    const over = [version('a', 'none', 'b'), version('b', '5', 'c'), version('c', null)];
    expect(refusalOf(() => requireDefaultUnits(over)).code).toBe('prepayment_cant_determine_units');
    requireDefaultUnits([version('a', '5', 'b'), version('b', '5', 'a')]);
  });

  it('is refused when it is set, and when a new version takes the place of others', () => {
    const create = aPlanCommand({ initialVersion: aVersionDraft({ content: content('none') }) });
    const created = given(planDecider).when(create).decided();
    const later = { versionId: 'later', number: null, content: content(null) };
    const publish = (makeActive: 'replace_on_renewal' | 'grandfather' | null) =>
      ({ type: 'PublishVersion', version: aVersionDraft(later), makeActive }) as const;
    given(planDecider, created)
      .when(publish('replace_on_renewal'))
      .refuses('prepayment_cant_determine_units');
    expect(given(planDecider, created).when(publish('grandfather')).decided()).toHaveLength(2);

    const state = created.reduce(planDecider.evolve, planDecider.initial());
    const drafted = planDecider.decide({ ...publish(null), now: NOW, commandId: COMMAND_ID }, state);
    given(planDecider, [...created, ...drafted])
      .when({ type: 'ReplaceVersion', versionId: VERSION_ID, replaceWith: 'later' })
      .refuses('prepayment_cant_determine_units');
  });
});
