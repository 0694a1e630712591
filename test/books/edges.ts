import type { TestApp } from '../support/app.js';
import { writeCuts } from './cuts.js';
import { writeInstants } from './instants.js';
import { writeMoves } from './moves.js';
import { writeRenewalsElsewhere } from './renewals-elsewhere.js';
import { writeWindowEnds } from './window-ends.js';
import { aChargeBody, aComponentBody, aMetricBody, aPlanBody } from '../support/builders/catalog-bodies.js';

const ARREARS = { charge_timing: 'in_arrears' };

/** Writes histories over HTTP that meet every rule of a policy; those of `writeHistory` meet only some. */
export async function writeEdges(app: TestApp): Promise<void> {
  const { request, advance } = app;
  const created = async (path: string, body: object) =>
    (await request.post(path).send(body).expect(201)).body;
  const metric = await created(
    '/api/metrics/',
    aMetricBody({ metric_name: 'calls', event_name: 'calls', aggregation_type: 'sum', property_name: 'n' }),
  );
  const plan = async (name: string, version: object): Promise<string> =>
    (await created('/api/plans/', aPlanBody(name, version))).plan_id;
  const fee = (amount: number, changes: object = {}) => aChargeBody({ amount, ...ARREARS, ...changes });
  const small = await plan('A', { recurring_charges: [fee(0.05)] });
  const large = await plan('B', { recurring_charges: [fee(0.25)] });
  const tiers = [{ type: 'per_unit', range_start: 0, cost_per_batch: 0.01, metric_units_per_batch: 1 }];
  const used = await plan('Used', {
    recurring_charges: [fee(0.06, { charge_behavior: 'full' })],
    components: [aComponentBody(metric.metric_id, { tiers })],
  });
  await request.patch('/api/organization/').send({ tax_rate: 10 }).expect(200);
  const subscribe = async (customer: string, planId: string, start: string): Promise<string> => {
    const body = { customer_id: customer, plan_id: planId, start_date: start };
    return (await created('/api/subscriptions/', body)).subscription_id;
  };
  const track = (customer: string, id: string, at: string, n: number) =>
    created('/api/track/', {
      batch: [
        {
          event_name: 'calls',
          customer_id: customer,
          idempotency_id: id,
          time_created: at,
          properties: { n },
        },
      ],
    });

  // Lines of terms with the same start: for some, the order of ids differs from the order of plan names.
  for (let n = 0; n < 6; n += 1) {
    await created('/api/customers/', { customer_id: `two-${n}` });
    await subscribe(`two-${n}`, large, EDGES_START);
    await subscribe(`two-${n}`, small, EDGES_START);
  }
  // A negative difference whose rest bears more tax than its line was assigned.
  await created('/api/customers/', { customer_id: 'less' });
  await subscribe('less', used, EDGES_START);
  await track('less', 'in time', EDGES_START, 6);
  // `charge_full` of a term of zero length, for a fee in arrears and for one charged in advance.
  const ahead = await plan('Ahead', { recurring_charges: [fee(31, { charge_timing: 'in_advance' })] });
  for (const planId of [large, ahead]) {
    await created('/api/customers/', { customer_id: `at once ${planId}` });
    // Invoices of another term show that the cancelled one is not charged later.
    await subscribe(`at once ${planId}`, small, EDGES_START);
    const cancelled = await subscribe(`at once ${planId}`, planId, EDGES_START);
    await request
      .post(`/api/subscriptions/${cancelled}/cancel/`)
      .send({ flat_fee_behavior: 'charge_full' })
      .expect(200);
  }

  const writeRest = await writeInstants(app);
  const cancelMoved = await writeMoves(app);
  await writeCuts(app);
  await writeRest();
  await writeWindowEnds(app);
  const writeLastSwitch = await writeRenewalsElsewhere(app);

  await advance('2026-02-01T02:00:00Z');
  await cancelMoved();
  await advance('2026-02-01T12:00:00Z');
  await track('less', 'late', '2026-01-20T00:00:00Z', -1);
  await writeLastSwitch();
  await advance('2026-03-02T00:00:00Z');
}

export const EDGES_START = '2026-01-01T00:00:00Z';
