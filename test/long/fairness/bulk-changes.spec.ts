import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecountClient } from '../../../demo/recount-client.js';
import { aPlanBody } from '../../support/builders/catalog-bodies.js';
import { expectUnharmed, measureNeighbour } from './neighbour.js';
import { startStage, type Stage } from './stage.js';

const SUBSCRIPTIONS = 300;
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

const fee = (amount: number) => ({
  recurring_charges: [{ name: 'fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
});

describe('a neighbour waits no longer while somebody changes hundreds of subscriptions', () => {
  it('switches them to another plan with one request, and cancels them with another', async () => {
    const { url, key } = stage.attacker;
    const client = new RecountClient(url, key);
    const from = await client.post<{ plan_id: string }>('/api/plans/', aPlanBody('from', fee(31)));
    const to = await client.post<{ plan_id: string }>('/api/plans/', aPlanBody('to', fee(62)));
    await client.post('/api/customers/', { customer_id: 'many' });
    const start_date = new Date(Date.now() - 60_000).toISOString();
    for (let n = 0; n < SUBSCRIPTIONS; n += 20) {
      const values = Array.from({ length: 20 }, (_, index) => `r${n + index}`);
      await Promise.all(
        values.map((value) =>
          client.post('/api/subscriptions/', {
            customer_id: 'many',
            plan_id: from.plan_id,
            start_date,
            subscription_filters: [{ property_name: 'region', value }],
          }),
        ),
      );
    }
    expectUnharmed(
      await measureNeighbour(stage.neighbour, async () => {
        const switched = await client.post(
          `/api/subscriptions/update/?customer_id=many&plan_id=${from.plan_id}`,
          { replace_plan_id: to.plan_id },
        );
        expect(switched).toHaveLength(SUBSCRIPTIONS);
        expect(await client.post('/api/subscriptions/cancel/?customer_id=many', {})).toHaveLength(
          SUBSCRIPTIONS,
        );
      }),
    );
  });
});
