import { fromWireId } from '../../src/kernel/ids.js';
import type { Ids } from './api-contract/samples.js';
import type { TestApp } from './app.js';
import { aComponentBody, aPlanBody, anAddonBody } from './builders/catalog-bodies.js';
import { shopOf } from './shop.js';

const OTHER = 'other-customer-of-the-rich-tenant';
const CUSTOMER = 'customer-of-the-rich-tenant';

/**
 * Creates one record of each kind.
 * @param mark part of every name, and of no id
 * @returns the ids by the name of their field
 */
export async function richTenant(app: TestApp, mark: string): Promise<Ids> {
  const shop = shopOf(app);
  const post = async (path: string, body: object) =>
    (await app.request.post(path).send(body).expect(201)).body;

  // An e-invoice names the seller's country and tax number, and the customer's country.
  const seller = { address: { country: 'DE', city: mark }, tax_ids: [{ type: 'vat', value: 'DE123456789' }] };
  await app.request.patch('/api/organization/').send(seller).expect(200);
  const feature = await post('/api/features/', { feature_name: `${mark} feature` });
  const metric = await shop.metric({ metric_name: `${mark} metric`, event_name: `${mark} event` });
  const plan = await post('/api/plans/', {
    plan_name: `${mark} plan`,
    plan_duration: 'monthly',
    tags: [`${mark}-tag`],
    initial_version: {
      currency_code: 'USD',
      features: [feature.feature_id],
      recurring_charges: [
        { name: `${mark} fee`, amount: 31, charge_timing: 'in_advance', charge_behavior: 'prorate' },
      ],
      components: [aComponentBody(metric, { prepaid_charge: { units: 5, charge_behavior: 'prorate' } })],
    },
  });
  const otherPlan = await post('/api/plans/', aPlanBody(`${mark} other plan`));
  await shop.customer(CUSTOMER, {
    email: `${mark}@example.com`,
    customer_name: `${mark} Inc`,
    address: { country: 'DE' },
  });
  await shop.customer(OTHER, { customer_name: `${mark} Ltd` });
  const customPlan = await post(
    '/api/plans/',
    aPlanBody(`${mark} custom plan`, { target_customer_ids: [CUSTOMER, OTHER] }),
  );
  const spareMetric = await shop.metric({ metric_name: `${mark} spare`, event_name: `${mark} spare` });
  const spareAddon = await post('/api/addons/', anAddonBody(`${mark} spare addon`));
  const addon = await post('/api/addons/', anAddonBody(`${mark} addon`));
  const { subscription_id: subscription } = await shop.subscribe(CUSTOMER, plan.plan_id, '2026-01-01');
  await post(`/api/subscriptions/${subscription}/addons/attach/`, { addon_id: addon.addon_id });
  const credit = await post('/api/credits/', {
    customer_id: CUSTOMER,
    amount: 5,
    currency_code: 'USD',
    description: `${mark} credit`,
  });
  const [invoice] = await shop.invoices();
  const webhook = await post('/api/webhooks/', {
    name: `${mark} webhook`,
    webhook_url: `https://hooks.example.com/${mark}`,
    triggers: ['invoice.created'],
  });
  const usageAlert = await post('/api/usage-alerts/', {
    name: `${mark} alert`,
    metric_id: metric,
    customer_id: CUSTOMER,
    threshold: 1_000_000,
  });
  await post('/api/audit/checkpoints/', {});
  const { prefix } = await post('/api/api_keys/', { name: `${mark} key`, scope: 'read' });
  const { body: organization } = await app.request.get('/api/organization/').expect(200);
  const { rows: parked } = await app.pool.query<{ park_id: string }>(
    `insert into parked_work (org, kind, subject_id, cause, detail, parked_at, tried_at, next_try_at)
     values ($1, 'past_due', gen_random_uuid(), 'internal', $2, now(), now(), now()) returning park_id`,
    [fromWireId('org', organization.organization_id as string), mark],
  );
  const version = plan.versions[0].version_id;
  return {
    plan_id: plan.plan_id,
    version_id: version,
    switch_plan_id: otherPlan.plan_id,
    switch_plan_version_id: otherPlan.versions[0].version_id,
    other_customer_id: OTHER,
    custom_version_id: customPlan.versions[0].version_id,
    spare_metric_id: spareMetric,
    spare_addon_id: spareAddon.addon_id,
    replace_plan_id: otherPlan.plan_id,
    replace_with: version,
    metric_id: metric,
    feature_id: feature.feature_id,
    addon_id: addon.addon_id,
    addon_version_id: addon.versions[0].addon_version_id,
    customer_id: CUSTOMER,
    subscription_id: subscription,
    credit_id: credit.credit_id,
    invoice_id: invoice.invoice_id,
    webhook_endpoint_id: webhook.webhook_endpoint_id,
    usage_alert_id: usageAlert.usage_alert_id,
    prefix,
    parked_id: parked[0]!.park_id,
    line: '1',
  };
}
