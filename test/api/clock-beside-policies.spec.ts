import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { fromWireId } from '../../src/kernel/ids.js';
import { Policies } from '../../src/platform/eventsourcing/policies/policies.js';
import { OpenTermFinder } from '../../src/subscription/commands/open-term-finder.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;
let other: TestApp;
/** Number of times that the policy still fails, by the name of the feature whose event it handles. */
const failures = new Map<string, number>();

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  other = { ...app, request: (await anotherTenant(app)).request };
  app.service.app.get(Policies, { strict: false }).register({
    name: 'fails-a-while',
    on: ['FeatureDefined'],
    handle: async ({ data }) => {
      const { name } = data as { name: string };
      const left = failures.get(name) ?? 0;
      failures.set(name, left - 1);
      if (left > 0) throw new Error(`The policy of ${name} fails.`);
    },
  });
});
afterAll(() => app.stop());

const defineFeature = async ({ request }: TestApp, name: string, failing: number) => {
  failures.set(name, failing);
  await request.post('/api/features/').send({ feature_name: name }).expect(201);
};
const advance = (to: string, key = randomUUID()) =>
  app.request.post('/api/test_clock/advance/').set('Idempotency-Key', key).send({ to });

describe('an advance of the test clock', () => {
  it('does not hear of a policy that fails in another organization', async () => {
    await defineFeature(other, 'of others', Infinity);
    await advance('2026-01-02T00:00:00Z').expect(200);
    failures.clear();
  });

  it('waits for a policy of its own organization that fails at first', async () => {
    await defineFeature(app, 'soon done', 3);
    await advance('2026-01-03T00:00:00Z').expect(200);
    expect(failures.get('soon done')).toBe(-1);
  });

  it('is refused for now while a policy fails, and is done under the same Idempotency-Key later', async () => {
    const key = randomUUID();
    await defineFeature(app, 'done late', Infinity);
    const { body, headers } = await advance('2026-01-04T00:00:00Z', key).expect(503);
    expect(body).toMatchObject({
      title: 'unavailable',
      detail: 'What follows from earlier requests is not done yet. Try again in a moment.',
    });
    expect(headers['retry-after']).toMatch(/^\d+$/);
    failures.clear();
    expect((await advance('2026-01-04T00:00:00Z', key).expect(200)).body.now).toBe('2026-01-04T00:00:00Z');
  });

  it('continues after the deletion of a customer whose subscription another request has ended', async () => {
    const shop = shopOf(app);
    await shop.customer('deleted');
    const { subscription_id: id } = await shop.subscribe('deleted', await shop.plan('Flat'), '2026-01-01');
    await app.request.post(`/api/subscriptions/${id}/cancel/`).send({}).expect(200);
    const terms = app.service.app.get(OpenTermFinder, { strict: false });
    const finding = jest
      .spyOn(terms, 'notEnded')
      .mockResolvedValue([fromWireId('sub', id)!])
      .mockResolvedValueOnce([]);
    await app.request.post('/api/customers/deleted/delete/').send({}).expect(200);
    await advance('2026-01-05T00:00:00Z').expect(200);
    expect(finding.mock.calls.length).toBeGreaterThan(1);
  });
});
