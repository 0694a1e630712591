/** Sends a request until it is answered, each time with the same idempotency key. Returns the body of the answer. */
export type Send = (key: string, path: string, body: object) => Promise<Record<string, unknown>>;

export const START = '2026-01-01T02:00:00Z';
const MONTHS = 10;

/**
 * Sends the requests of ten months of a small business, each with its own idempotency key. In each month a customer
 * subscribes, all customers use the service, one of them with a late event, and the new customer gets or buys a credit and
 * switches the plan, attaches an add-on or cancels. Then the clock moves to the next month, which renews and bills.
 */
export async function runWorkload(send: Send): Promise<void> {
  const metric = await send('metric', '/api/metrics/', {
    metric_name: 'requests',
    event_name: 'request',
    metric_type: 'counter',
    aggregation_type: 'count',
  });
  const plan = await send('plan', '/api/plans/', {
    plan_name: 'Small',
    plan_duration: 'monthly',
    initial_version: {
      currency_code: 'USD',
      recurring_charges: [
        { name: 'fee', charge_timing: 'in_advance', charge_behavior: 'prorate', amount: 30 },
        { name: 'support', charge_timing: 'in_arrears', charge_behavior: 'full', amount: 7 },
      ],
      components: [
        {
          metric_id: metric['metric_id'],
          tiers: [
            { type: 'free', range_start: 0, range_end: 2 },
            { type: 'per_unit', range_start: 2, cost_per_batch: 0.37, metric_units_per_batch: 1 },
          ],
        },
      ],
    },
  });
  const bigger = await send('bigger', '/api/plans/', {
    plan_name: 'Bigger',
    plan_duration: 'monthly',
    initial_version: {
      currency_code: 'USD',
      recurring_charges: [
        { name: 'fee', charge_timing: 'in_advance', charge_behavior: 'prorate', amount: 80 },
      ],
      components: [
        {
          metric_id: metric['metric_id'],
          tiers: [{ type: 'per_unit', range_start: 0, cost_per_batch: 0.11, metric_units_per_batch: 1 }],
          prepaid_charge: { units: 3, charge_behavior: 'prorate' },
        },
      ],
    },
  });
  const addon = await send('addon', '/api/addons/', {
    addon_name: 'Phone',
    initial_version: {
      currency_code: 'USD',
      recurring_charges: [
        { name: 'line', charge_timing: 'in_advance', charge_behavior: 'prorate', amount: 11 },
      ],
      invoice_when: 'invoice_on_attach',
      billing_frequency: 'recurring',
    },
  });
  for (let month = 1; month <= MONTHS; month++) {
    const at = dayOf(month, 1);
    const customer = `customer-${month}`;
    await send(`customer-${month}`, '/api/customers/', {
      customer_id: customer,
      email: `${customer}@x.test`,
    });
    const { subscription_id: subscription } = await send(`subscribe-${month}`, '/api/subscriptions/', {
      customer_id: customer,
      plan_id: plan['plan_id'],
      start_date: at,
    });
    for (const half of [1, 2]) {
      const batch = Array.from({ length: month }, (_, index) => ({
        event_name: 'request',
        customer_id: `customer-${index + 1}`,
        idempotency_id: `use-${month}-${half}-${index}`,
        time_created: at,
        properties: {},
      }));
      await send(`use-${month}-${half}`, '/api/track/', { batch });
    }
    const price = month % 2 === 0 ? { amount_paid: month, amount_paid_currency_code: 'USD' } : {};
    await send(`credit-${month}`, '/api/credits/', {
      customer_id: customer,
      amount: 3 * month,
      currency_code: 'USD',
      ...price,
    });
    if (month > 1) {
      const late = { event_name: 'request', customer_id: 'customer-1', properties: {} };
      const batch = [{ ...late, idempotency_id: `late-${month}`, time_created: dayOf(month - 1, 25) }];
      await send(`late-${month}`, '/api/track/', { batch });
    }
    await send(`half-${month}`, '/api/test_clock/advance/', { to: dayOf(month, 15) });
    const ofSubscription = `/api/subscriptions/${subscription}`;
    if (month % 3 === 0) await send(`cancel-${month}`, `${ofSubscription}/cancel/`, {});
    if (month % 3 === 1) {
      const to = { switch_plan_id: bigger['plan_id'] };
      const { subscription_id: id } = await send(`switch-${month}`, `${ofSubscription}/switch_plan/`, to);
      const units = `/api/subscriptions/${id}/components/${metric['metric_id']}/change_prepaid_units/`;
      await send(`units-${month}`, units, { units: month + 4, invoice_now: month > 1 });
    }
    if (month % 3 === 2)
      await send(`attach-${month}`, `${ofSubscription}/addons/attach/`, { addon_id: addon['addon_id'] });
    if (month === 1) await send('void', '/api/invoices/260101-000001/void/', { rebill: true });
    if (month === 5) await send('leave', '/api/subscriptions/cancel/?customer_id=customer-4', {});
    if (month === 6) {
      const matching = `customer_id=customer-5&plan_id=${String(plan['plan_id'])}`;
      await send('stay', `/api/subscriptions/update/?${matching}`, { turn_off_auto_renew: true });
    }
    if (month === MONTHS) {
      await send('delete', '/api/customers/customer-2/delete/', {});
      await send('erase', '/api/customers/customer-5/erase/', {});
    }
    await send(`advance-${month}`, '/api/test_clock/advance/', { to: dayOf(month + 1, 1) });
  }
}

const dayOf = (month: number, day: number): string =>
  new Date(Date.UTC(2026, month - 1, day, 2)).toISOString();
