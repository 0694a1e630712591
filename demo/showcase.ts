import type { Recount, Subscription } from '../clients/typescript/src/index.js';
import { createCatalog, createTeamOf2, type Catalog } from './showcase-catalog.js';
import { toPay } from './payments.js';
import { forEachConcurrent } from '../src/platform/concurrency/limits.js';

const DAY_MS = 86_400_000;
const PAYMENTS_AT_ONCE = 4;
/** Customers by id: NORTHWIND switches and has credits, FABRIKAM has two subscriptions, CONTOSO leaves. */
const NORTHWIND = 'northwind';
const FABRIKAM = 'fabrikam';
const CONTOSO = 'contoso';

/** Returns an instant of the showcase, a number of days after its first month begins. */
type After = (days: number) => string;

/**
 * Adds three companies beside the clients of the sample log, over six weeks after it: credits, alerts,
 * limits, switches, an add-on, prepaid units, a cancellation and a new version, so that each page of the
 * console has content. A second run changes nothing.
 * @param start month after the log, at which the clock is
 * @param receiver URL that takes webhooks; without it there are no endpoints
 */
export async function showcase(client: Recount, start: string, receiver?: string): Promise<void> {
  const after: After = (days) =>
    new Date(Date.parse(start) + days * DAY_MS).toISOString().replace('.000Z', 'Z');
  await payForTheLog(client, start);
  const catalog = await createCatalog(client);
  if (receiver !== undefined) await createEndpoints(client, receiver);
  await createCustomers(client);
  const first = await subscribe(client, catalog, after);
  await createAlerts(client, catalog);
  await grantCredits(client, after);
  const steps: readonly Step[] = [
    { from: 0, day: 12, act: () => changeSubscriptions(client, catalog, first) },
    { from: 12, day: 24, act: () => switchTo(client, catalog.studio, first.northwind, 'northwind') },
    { from: 24, day: 30 },
    // At noon: the first window of the month ends this day at 15:00, midnight in Tokyo.
    { from: 30, day: 30.5 },
    // The windows of the month end on its last day, each in the zone of its customer.
    { from: 31, day: 33, act: () => leave(client, CONTOSO) },
    { from: 33, day: 36, act: () => grow(client, catalog) },
    { from: 36, day: 38, act: () => createTeamOf2(client, catalog) },
    { from: 38, day: 43 },
  ];
  for (const { from, day, act } of steps) {
    if (!(await advance(client, after(day)))) continue;
    await use(client, after, from, day);
    await act?.();
  }
}

interface Step {
  /** First day whose usage is sent; the last one is before `day`. */
  readonly from: number;
  readonly day: number;
  readonly act?: () => Promise<unknown>;
}

/** Pays three in four invoices of the log; the others are due. */
async function payForTheLog(client: Recount, start: string): Promise<void> {
  const invoices = await client.listInvoices({ issued_before: start.slice(0, 10), limit: 1_000 }).all();
  await forEachConcurrent(toPay(invoices), PAYMENTS_AT_ONCE, async ({ invoice_id: id }) => {
    await client.updateInvoice(id, { payment_status: 'paid' });
  });
}

/**
 * Creates an endpoint that answers, and one at which nobody listens. The first has the port of this run: the endpoint of
 * a run on another port is replaced.
 */
export async function createEndpoints(client: Recount, receiver: string): Promise<void> {
  const endpoints = await client.listWebhooks().all();
  const former = endpoints.filter(({ name, webhook_url: url }) => name === 'Books' && url !== receiver);
  for (const [key, name, url] of [
    [former[0]?.webhook_endpoint_id ?? 'books', 'Books', receiver],
    ['chat', 'Former chat', 'http://127.0.0.1:9/chat'],
  ] as const) {
    if (endpoints.some((endpoint) => endpoint.webhook_url === url)) continue;
    await client.createWebhook(
      {
        name,
        webhook_url: url,
        triggers: [
          'invoice.created',
          'subscription.created',
          'subscription.cancelled',
          'usage_alert.triggered',
        ],
      },
      { idempotencyKey: `demo-webhook-${key}` },
    );
  }
  for (const { webhook_endpoint_id: id } of former) await client.deleteWebhook(id);
}

async function createCustomers(client: Recount): Promise<void> {
  const customers = [
    { customer_id: NORTHWIND, customer_name: 'Northwind Media', email: 'books@northwind.example' },
    { customer_id: FABRIKAM, customer_name: 'Fabrikam Video', email: 'pay@fabrikam.example' },
    { customer_id: CONTOSO, customer_name: 'Contoso Games', email: 'billing@contoso.example' },
  ];
  const zones = ['Europe/Vienna', 'America/New_York', 'Asia/Tokyo'];
  for (const [index, customer] of customers.entries())
    await client.createCustomer(
      { ...customer, default_currency_code: 'USD', timezone: zones[index]! },
      { idempotencyKey: `demo-customer-${customer.customer_id}` },
    );
}

/** Hours in May from midnight of UTC to that of the customer. */
const HOURS: Readonly<Record<string, number>> = { [NORTHWIND]: -2, [FABRIKAM]: 4, [CONTOSO]: -9 };

async function subscribe(client: Recount, { team, studio }: Catalog, after: After) {
  const begin = async (name: string, customer: string, plan: string, region?: string): Promise<string> => {
    const start = after(HOURS[customer]! / 24);
    const filters = region === undefined ? [] : [{ property_name: 'region', value: region }];
    const { subscription_id: id } = await client.createSubscription(
      { customer_id: customer, plan_id: plan, start_date: start, subscription_filters: filters },
      {},
      { idempotencyKey: `demo-subscription-${name}` },
    );
    return id;
  };
  return {
    northwind: await begin(NORTHWIND, NORTHWIND, team),
    europe: await begin('europe', FABRIKAM, team, 'eu'),
    america: await begin('america', FABRIKAM, team, 'us'),
    contoso: await begin(CONTOSO, CONTOSO, studio),
  };
}

async function createAlerts(client: Recount, { requests }: Catalog): Promise<void> {
  for (const [name, threshold] of [
    ['half of the limit', 300],
    ['almost at the limit', 550],
  ] as const)
    await client.createUsageAlert(
      { name, metric_id: requests, customer_id: FABRIKAM, threshold },
      { idempotencyKey: `demo-alert-${threshold}` },
    );
}

async function grantCredits(client: Recount, after: After): Promise<void> {
  const credits = [
    { customer_id: NORTHWIND, amount: 150, description: 'Paid in advance' },
    { customer_id: NORTHWIND, amount: 40, description: 'For the outage of April', expires_at: after(38) },
    { customer_id: FABRIKAM, amount: 500, description: 'Welcome' },
  ];
  for (const [index, credit] of credits.entries())
    await client.createCredit(
      { ...credit, currency_code: 'USD' },
      { idempotencyKey: `demo-credit-${index}` },
    );
}

type Running = Awaited<ReturnType<typeof subscribe>>;

async function changeSubscriptions(
  client: Recount,
  { retention, seats }: Catalog,
  { northwind, europe }: Running,
): Promise<void> {
  await client.attachAddon(northwind, { addon_id: retention }, {}, { idempotencyKey: 'demo-attach' });
  await client.changePrepaidUnits(europe, seats, { units: 12 }, {}, { idempotencyKey: 'demo-units' });
}

const switchTo = (client: Recount, plan: string, subscription: string, name: string) =>
  client.switchPlan(subscription, { switch_plan_id: plan }, {}, { idempotencyKey: `demo-switch-${name}` });

const runningOf = (client: Recount, customer: string) =>
  client.listSubscriptions({ customer_id: customer, status: ['active'] }).all();

async function leave(client: Recount, customer: string): Promise<void> {
  for (const { subscription_id: id } of await runningOf(client, customer))
    await client.cancelSubscription(
      id,
      { flat_fee_behavior: 'refund' },
      {},
      { idempotencyKey: `demo-cancel-${customer}` },
    );
}

/** Moves the American half of FABRIKAM to the larger plan. */
async function grow(client: Recount, { studio }: Catalog): Promise<void> {
  const isAmerican = ({ subscription_filters: [filter] }: Subscription): boolean => filter?.value === 'us';
  const american = (await runningOf(client, FABRIKAM)).find(isAmerican);
  if (american) await switchTo(client, studio, american.subscription_id, 'america');
}

/** Requests per day; weekends have fewer. */
const PER_DAY = [
  [NORTHWIND, 22, {}],
  [FABRIKAM, 14, { region: 'eu' }],
  [FABRIKAM, 19, { region: 'us' }],
  [CONTOSO, 30, {}],
] as const;

/** Sends the usage of the days `from` to `until`, with the same ids on every run. */
async function use(client: Recount, after: After, from: number, until: number): Promise<void> {
  for (let day = from; day < until; day++) {
    const weekday = new Date(after(day)).getUTCDay();
    const batch = PER_DAY.flatMap(([customer, count, properties], index) =>
      Array.from({ length: weekday % 6 === 0 ? Math.ceil(count / 3) : count + (day % 5) }, (_, number) => ({
        event_name: 'request',
        customer_id: customer,
        idempotency_id: `demo:${index}:${day}:${number}`,
        time_created: after(day + (number + 1) / 60),
        properties: { ...properties, bytes: 400_000 + number * 9_000 },
      })),
    );
    const seats = { event_name: 'seats', customer_id: FABRIKAM, time_created: after(day + 1 / 3) };
    const taken = ['eu', 'us'].map((region, index) => ({
      ...seats,
      idempotency_id: `demo:seats:${region}:${day}`,
      properties: { region, seats: 3 + index * 2 + Math.floor(day / 10) },
    }));
    await client.trackEvents({ batch: [...batch, ...taken] });
  }
}

/**
 * Moves the clock forward.
 * @returns false when it is later already, as on a second run
 */
async function advance(client: Recount, to: string): Promise<boolean> {
  const { now } = await client.getTestClock();
  if (Date.parse(now) < Date.parse(to)) await client.advanceTestClock({ to });
  return Date.parse(now) <= Date.parse(to);
}
