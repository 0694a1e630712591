import type { TestApp } from '../support/app.js';
import type { Random } from '../support/random.js';
import { METRICS, type SoldPlan } from './catalog.js';
import { DAY, HOUR, STEP } from './times.js';

export interface Act {
  /** Milliseconds since 1970. */
  readonly at: number;
  make(): Promise<unknown>;
}

/** Sends a request and returns the body of the answer; an empty object when it was refused. */
export type Send = (
  name: string,
  path: string,
  body: object,
  method?: 'post' | 'patch',
) => Promise<Readonly<Record<string, unknown>>>;

/** A created plan, with the metrics that have prepaid units. */
export type PlanOnSale = SoldPlan & { readonly id: string; readonly prepaid: readonly string[] };

interface Customer {
  readonly id: string;
  readonly changes: object;
  readonly plan: PlanOnSale;
}

interface ActContext {
  readonly app: TestApp;
  readonly send: Send;
  readonly random: Random;
  /** Plans in the customer's currency. */
  readonly choice: readonly PlanOnSale[];
  readonly addons: readonly string[];
  readonly begin: number;
}

/** Draws the acts of one customer. Each looks up current invoices and subscriptions when it is made. */
export function customerActs(
  { id: customer, changes, plan }: Customer,
  { app, send, random, choice, addons, begin }: ActContext,
): Act[] {
  const start = begin + random.integer(0, 35 * 4) * STEP;
  const end = start + random.integer(25, 110) * DAY;
  const acts: Act[] = [];
  let current = plan;
  let used = 0;
  const some = () => start + random.integer(1, Math.floor((end - start) / STEP)) * STEP;
  const put = (at: number, make: (at: number) => Promise<unknown>) =>
    void acts.push({ at, make: () => make(at) });
  const sometimes = (probability: number, make: (at: number) => Promise<unknown>) => {
    if (random.chance(probability)) put(some(), make);
  };
  const times = (count: number, make: (at: number) => Promise<unknown>) => {
    for (let n = count; n > 0; n--) put(some(), make);
  };

  put(start, async () => {
    await send('customer', '/api/customers/', { customer_id: customer, ...changes });
    const backdatedBy = random.chance(0.25) ? random.integer(1, 12) * STEP : 0;
    await send('subscribe', '/api/subscriptions/', {
      customer_id: customer,
      plan_id: plan.id,
      auto_renew: random.chance(0.85),
      subscription_filters: random.chance(0.15) ? [{ property_name: 'region', value: 'eu' }] : [],
      start_date: date(start - backdatedBy),
      ...(random.chance(0.1) && { end_date: date(start + random.integer(25, 70) * DAY) }),
    });
  });
  times(random.integer(6, 18), (at) => use(at, 0));
  times(random.integer(1, 5), (at) => use(at, random.integer(1, 24 * 20)));
  times(random.integer(0, 3), async () => {
    for (const invoice of await unpaid())
      await send('pay', `/api/invoices/${invoice}/`, { payment_status: 'paid' }, 'patch');
  });
  for (const probability of [0.55, 0.3]) sometimes(probability, change);
  sometimes(0.4, () =>
    onRunning('cancel', 'cancel/', {
      flat_fee_behavior: random.pick([null, null, 'refund', 'charge_prorated', 'charge_full']),
      usage_behavior: random.pick(['bill_full', 'bill_full', 'bill_none']),
      invoicing_behavior: invoicing(),
    }),
  );
  sometimes(0.15, (at) =>
    onRunning('end', 'update/', {
      end_date: date(at + random.integer(1, 40) * DAY),
      turn_off_auto_renew: random.chance(0.5),
    }),
  );
  for (const metric of plan.prepaid) {
    sometimes(0.8, () =>
      onRunning('units', `components/${metric}/change_prepaid_units/`, {
        units: random.integer(0, 60),
        invoice_now: random.chance(0.6),
      }),
    );
  }
  if (random.chance(0.35)) {
    const addon = random.pick(addons);
    const quantity = random.integer(1, 3);
    const attached = some();
    put(attached, () => onRunning('attach', 'addons/attach/', { addon_id: addon, quantity }));
    if (random.chance(0.5))
      put(attached + random.integer(1, 60) * STEP, () =>
        onRunning('cancel add-on', `addons/${addon}/cancel/`, {}),
      );
  }
  sometimes(0.3, async () => {
    const [newest] = await unpaid();
    if (newest) await send('void', `/api/invoices/${newest}/void/`, { rebill: random.chance(0.5) });
  });
  sometimes(0.3, () =>
    send('credit', '/api/credits/', {
      customer_id: customer,
      currency_code: plan.currency_code,
      amount: random.integer(1, 60),
      ...(random.chance(0.3) && { amount_paid: 5, amount_paid_currency_code: plan.currency_code }),
    }),
  );
  sometimes(0.25, () =>
    send('tax', `/api/customers/${customer}/`, { tax_rate: random.pick([0, 7, 8.875, 19, 25.5]) }, 'patch'),
  );
  return acts;

  async function onRunning(name: string, path: string, body: object) {
    const query = `?customer_id=${customer}&status=active`;
    const { body: running } = await app.request.get(`/api/subscriptions/${query}`).expect(200);
    if (running.length === 0) return {};
    return send(name, `/api/subscriptions/${running[0].subscription_id}/${path}`, body);
  }

  async function change() {
    const others = choice.filter(({ id, duration }) => id !== current.id && duration === current.duration);
    if (others.length === 0) return;
    const other = random.pick(others);
    const changed = await onRunning('switch', 'switch_plan/', {
      switch_plan_id: other.id,
      invoicing_behavior: invoicing(),
      usage_behavior: random.pick(['transfer_to_new_subscription', 'keep_separate']),
    });
    if (changed['subscription_id']) current = other;
  }

  async function use(at: number, hoursAgo: number) {
    const batch = (current.usage ?? []).map(({ metric }) => ({
      event_name: metric,
      customer_id: customer,
      idempotency_id: `${customer}-${(used += 1)}`,
      time_created: date(at - hoursAgo * HOUR - random.integer(0, 3_599) * 1000),
      properties: {
        ...(random.chance(0.95) && { n: valueFor(metric) }),
        region: random.pick(['eu', 'eu', 'us']),
      },
    }));
    if (batch.length > 0) await send(hoursAgo > 0 ? 'use late' : 'use', '/api/track/', { batch });
  }

  function valueFor(metric: string): number | string {
    if (METRICS[metric]!.event_type === 'delta') return random.integer(-4, 9);
    if (random.chance(0.03)) return 'many';
    return random.chance(0.5) ? random.integer(0, 40) : random.integer(0, 4_000) / 100;
  }

  async function unpaid(): Promise<string[]> {
    const query = `?customer_id=${customer}&payment_status=unpaid`;
    const { body } = await app.request.get(`/api/invoices/${query}`).expect(200);
    return body.map((invoice: { invoice_id: string }) => invoice.invoice_id);
  }

  function invoicing(): string {
    return random.pick(['invoice_now', 'invoice_now', 'add_to_next_invoice']);
  }
}

const date = (at: number): string => new Date(at).toISOString();
