import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlanCatalog } from '../../src/catalog/plan-catalog.js';
import { fromWireId, type IdKind, type Uuid } from '../../src/kernel/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aPlanBody } from '../support/builders/catalog-bodies.js';

const UNKNOWN = '99999999-0000-4000-8000-000000000001';
const idOf = (kind: IdKind, text: string): Uuid => fromWireId(kind, text)!;

describe('the plan catalog for other modules', () => {
  let app: TestApp;
  let catalog: PlanCatalog;
  const create = async (name: string): Promise<{ planId: Uuid; versionId: Uuid }> => {
    const { body } = await app.request.post('/api/plans/').send(aPlanBody(name)).expect(201);
    return {
      planId: idOf('plan', body.plan_id),
      versionId: idOf('plan_version', body.versions[0].version_id),
    };
  };

  beforeAll(async () => {
    app = await startTestApp();
    catalog = app.service.app.get(PlanCatalog);
  });
  afterAll(() => app.stop());

  it('finds the plan of a version that was published a moment ago', async () => {
    for (const name of ['One', 'Two', 'Three']) {
      const { planId, versionId } = await create(name);
      expect(await catalog.planOf(app.org, versionId)).toBe(planId);
    }
  });

  it('knows neither versions that do not exist nor those of another tenant', async () => {
    const { planId, versionId } = await create('Ours');
    expect(await catalog.planOf(app.org, UNKNOWN)).toBeUndefined();
    expect(await catalog.planOf(UNKNOWN, versionId)).toBeUndefined();
    expect(await catalog.candidates(UNKNOWN, planId)).toBeUndefined();
    expect(await catalog.versionOf(UNKNOWN, planId, versionId)).toBeUndefined();
  });

  it('has a version with what it charges', async () => {
    const { planId, versionId } = await create('Remembered');
    const read = await catalog.versionOf(app.org, planId, versionId);
    expect(read).toMatchObject({
      planId,
      planName: 'Remembered',
      duration: 'monthly',
      version: { versionId },
    });
    expect(read!.version.content).toMatchObject({ currency: 'USD', recurringCharges: [{ amount: '30' }] });
  });

  it('has a version under its own plan only', async () => {
    const [one, other] = [await create('Its own'), await create('Another')];
    expect(await catalog.versionOf(app.org, other.planId, one.versionId)).toBeUndefined();
    expect(await catalog.versionOf(app.org, one.planId, one.versionId)).toBeDefined();
    expect(await catalog.versionOf(app.org, other.planId, one.versionId)).toBeUndefined();
  });
});

describe('the plan catalog while no projection runs', () => {
  it('says that it cannot know a version yet, not that there is none', async () => {
    const app = await startTestApp({ env: { ROLES: 'api' }, limitsWaits: true });
    try {
      const { body } = await app.request.post('/api/plans/').send(aPlanBody('Unseen')).expect(201);
      const versionId = idOf('plan_version', body.versions[0].version_id);
      const found = app.service.app.get(PlanCatalog).planOf(app.org, versionId);
      await expect(found).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      await app.stop();
    }
  });
});
