import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { recount } from '../support/recount.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let other: TestApp;
const shops: Shop[] = [];

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const { request } = await anotherTenant(app);
  other = { ...app, request };
  for (const [place, tenant] of [app, other].entries()) {
    const shop = shopOf(tenant);
    shops.push(shop);
    const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
    await shop.customer(`buyer-${place}`);
    await shop.subscribe(`buyer-${place}`, plan, '2026-01-01');
  }
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

const now = async ({ request }: TestApp): Promise<string> =>
  (await request.get('/api/test_clock/').expect(200)).body.now;
const advance = async ({ request }: TestApp, to: string) =>
  (await request.post('/api/test_clock/advance/').send({ to }).expect(200)).body;
const issued = async (shop: Shop) =>
  (await shop.invoices()).map(({ issue_date: date }: { issue_date: string }) => date).toReversed();

describe('the test clock of an organization', () => {
  it('moves alone, and executes the due work of its organization only', async () => {
    expect(await advance(app, '2026-03-02T00:00:00Z')).toMatchObject({
      now: '2026-03-02T00:00:00Z',
      invoices_issued: 2,
      subscriptions_renewed: 2,
    });
    expect(await now(other)).toBe('2026-01-01T00:00:00Z');
    expect(await issued(shops[0]!)).toHaveLength(3);
    expect(await issued(shops[1]!)).toEqual(['2026-01-01T00:00:00Z']);
  });

  it('stops at its own boundaries, whatever those of others are', async () => {
    await advance(other, '2026-02-10T00:00:00Z');
    expect(await issued(shops[1]!)).toEqual(['2026-01-01T00:00:00Z', '2026-02-01T00:30:00Z']);
    expect(await now(app)).toBe('2026-03-02T00:00:00Z');
    const { body } = await other.request
      .post('/api/test_clock/advance/')
      .send({ to: '2026-02-09T00:00:00Z' })
      .expect(400);
    expect(body.validation_errors).toMatchObject([{ attr: 'to', code: 'min_value' }]);
  });

  it('advances beside another one, each at its own instants', async () => {
    await Promise.all([advance(app, '2026-05-02T00:00:00Z'), advance(other, '2026-04-02T00:00:00Z')]);
    expect((await issued(shops[0]!)).slice(3)).toEqual(['2026-04-01T00:30:00Z', '2026-05-01T00:30:00Z']);
    expect((await issued(shops[1]!)).slice(2)).toEqual(['2026-03-01T00:30:00Z', '2026-04-01T00:30:00Z']);
  });

  it('rules what the organization sees and does', async () => {
    for (const [tenant, place] of [
      [app, 0],
      [other, 1],
    ] as const) {
      const { body } = await tenant.request.get(`/api/subscriptions/?customer_id=buyer-${place}`).expect(200);
      const running = (body as { start_date: string; end_date: string }[]).filter(
        ({ start_date: start, end_date: end }) => start <= '2026-04-15' && '2026-04-15' < end,
      );
      expect(running).toHaveLength(1);
    }
    expect(await now(other)).toBe('2026-04-02T00:00:00Z');
  });

  it('is the one by which the doctor looks: work that is due by another clock is not missing', async () => {
    const { lines } = await recount(app, 'doctor', '--sample', '5');
    expect(lines.filter((line) => line.startsWith('BROKEN'))).toEqual([]);
    await app.pool.query(`update manual_clock set now = '2026-05-02T00:00:00Z'`);
    const after = await recount(app, 'doctor', '--sample', '5');
    expect(after.lines.filter((line) => line.startsWith('BROKEN'))).not.toEqual([]);
    await advance(other, '2026-05-02T00:00:00Z');
    expect((await recount(app, 'doctor', '--sample', '5')).isWell).toBe(true);
  });
});
