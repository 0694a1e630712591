import type { TestApp } from '../support/app.js';
import {
  aChargeBody,
  aComponentBody,
  aMetricBody,
  anAddonBody,
  aPlanBody,
} from '../support/builders/catalog-bodies.js';
import { Random } from '../support/random.js';
import { ADDONS, CUSTOMERS, METRICS, PLANS, SETTINGS, START } from './catalog.js';
import { customerActs, type Act, type Send, type PlanOnSale } from './customer-acts.js';
import { DAY, MONTHS_WRITTEN } from './times.js';

/** Number of accepted and refused requests by kind. */
export type Tally = Record<string, { made: number; refused: number }>;

/**
 * Writes five months of random customers over HTTP. They subscribe to plans of every kind, send usage (also late),
 * switch, cancel, buy units and add-ons, pay, have invoices voided, get credits and change tax rates. Equal seeds
 * write equal books.
 * @throws when the service answers with a server error
 */
export async function writeHistory(app: TestApp, seed: number): Promise<Tally> {
  const tally: Tally = {};
  const send: Send = async (name, path, body, method = 'post') => {
    const { status, body: answer } = await app.request[method](path).send(body);
    if (status >= 500) throw new Error(`${name}: ${status} ${JSON.stringify(answer)}`);
    (tally[name] ??= { made: 0, refused: 0 })[status < 300 ? 'made' : 'refused'] += 1;
    return status < 300 ? answer : {};
  };

  const begin = Date.parse(START);
  const { plans, addons } = await sellEverything(send);
  const acts: Act[] = SETTINGS.map(({ day, ...settings }) => ({
    at: begin + day * DAY,
    make: () => send('settings', '/api/organization/', settings, 'patch'),
  }));
  const random = new Random(seed);
  for (const [index, { currency, changes }] of CUSTOMERS.entries()) {
    const choice = plans.filter((plan) => plan.currency_code === currency);
    const customer = { id: `customer-${index}`, changes, plan: choice[index % choice.length]! };
    acts.push(...customerActs(customer, { app, send, random, choice, addons, begin }));
  }

  acts.sort((a, b) => a.at - b.at);
  let now = begin;
  for (const { at, make } of acts) {
    if (at > now) await app.advance(new Date(at).toISOString());
    now = at;
    await make();
  }
  await app.advance(new Date(begin + MONTHS_WRITTEN * 31 * DAY).toISOString());
  return tally;
}

/** Creates the metrics, plans and add-ons of the catalog. */
async function sellEverything(send: Send): Promise<{ plans: PlanOnSale[]; addons: string[] }> {
  const metrics = new Map<string, string>();
  for (const [name, metric] of Object.entries(METRICS)) {
    const body = aMetricBody({ metric_name: name, event_name: name, ...metric });
    metrics.set(name, String((await send('metric', '/api/metrics/', body))['metric_id']));
  }
  const component = ({ metric, ...changes }: { readonly metric: string }) =>
    aComponentBody(metrics.get(metric)!, changes);
  const plans: PlanOnSale[] = [];
  for (const [name, plan] of Object.entries(PLANS)) {
    const { duration = 'monthly', fees = [], usage = [], ...version } = plan;
    const charges = fees.map((fee, index) => aChargeBody({ name: `fee ${index}`, ...fee }));
    const priced = { recurring_charges: charges, components: usage.map(component), ...version };
    const body = aPlanBody(name, priced, { plan_duration: duration });
    const id = String((await send('plan', '/api/plans/', body))['plan_id']);
    const prepaid = usage.filter((used) => used['prepaid_charge']).map(({ metric }) => metrics.get(metric)!);
    plans.push({ ...plan, id, prepaid });
  }
  const addons: string[] = [];
  for (const [name, { usage = [], ...addon }] of Object.entries(ADDONS)) {
    const body = anAddonBody(name, { ...addon, components: usage.map(component) });
    addons.push(String((await send('addon', '/api/addons/', body))['addon_id']));
  }
  return { plans, addons };
}
