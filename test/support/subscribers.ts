import type { TestApp } from './app.js';
import { aPlanBody } from './builders/catalog-bodies.js';

export interface PlanAnswer {
  readonly plan_id: string;
  readonly versions: readonly { readonly version_id: string }[];
}

let counter = 0;

/** Creates a customer and returns its customer_id. */
export async function newCustomer(app: TestApp, fields: object = {}): Promise<string> {
  const customer_id = `subscriber-${(counter += 1)}`;
  await app.request
    .post('/api/customers/')
    .send({ customer_id, ...fields })
    .expect(201);
  return customer_id;
}

export async function newPlan(app: TestApp, version: object = {}, plan: object = {}): Promise<PlanAnswer> {
  const body = aPlanBody(`plan ${(counter += 1)}`, version, plan);
  return (await app.request.post('/api/plans/').send(body).expect(201)).body;
}
