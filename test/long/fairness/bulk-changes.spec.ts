import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecountClient } from '../../support/recount-client.js';
import { aPlanBody } from '../../support/builders/catalog-bodies.js';
import { expectNeighbourUnharmed } from './neighbour.js';
import { startStage, type Stage } from './stage.js';

const SUBSCRIPTIONS = 200;
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

const fee = (amount: number) => ({
  recurring_charges: [{ name: 'fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
});

describe('a neighbour waits no longer while somebody changes hundreds of subscriptions', () => {
  it('subscribes a customer to them, switches them with one request, and cancels them with another', async () => {
    const { url, key } = stage.attacker;
    const client = new RecountClient(url, key);
    const from = await client.post<{ plan_id: string }>('/api/plans/', aPlanBody('from', fee(31)));
    const to = await client.post<{ plan_id: string }>('/api/plans/', aPlanBody('to', fee(62)));
    let customers = 0;
    await expectNeighbourUnharmed(stage.neighbour, async () => {
      const customer_id = `many-${(customers += 1)}`;
      await client.post('/api/customers/', { customer_id });
      const start_date = new Date(Date.now() - 60_000).toISOString();
      for (let n = 0; n < SUBSCRIPTIONS; n += 8) {
        const values = Array.from({ length: 8 }, (_, index) => `r${n + index}`);
        await Promise.all(
          values.map((value) =>
            client.post('/api/subscriptions/', {
              customer_id,
              plan_id: from.plan_id,
              start_date,
              subscription_filters: [{ property_name: 'region', value }],
            }),
          ),
        );
      }
      const replace = `/api/subscriptions/update/?customer_id=${customer_id}&plan_id=${from.plan_id}`;
      expect(await client.post(replace, { replace_plan_id: to.plan_id })).toHaveLength(SUBSCRIPTIONS);
      const cancel = `/api/subscriptions/cancel/?customer_id=${customer_id}`;
      expect(await client.post(cancel, {})).toHaveLength(SUBSCRIPTIONS);
    });
  });
});
