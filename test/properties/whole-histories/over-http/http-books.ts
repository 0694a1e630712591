import type TestAgent from 'supertest/lib/agent.js';
import { decimal, rational, rounded, text, times } from '../../../calculator/rational.js';
import type { Addon, Component, History, Invoice, Line, Plan, Step } from '../../../calculator/history.js';

interface WireInvoice {
  readonly invoice_id: string;
  readonly invoice_number: string;
  readonly payment_status: string;
  readonly issue_date: string;
  readonly amount: number;
  readonly line_items: readonly WireLine[];
}

interface WireLine {
  readonly name: string;
  readonly plan: { readonly plan_name: string } | null;
  readonly quantity: number | null;
  readonly billing_type: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly base: number;
  readonly amount: number;
  readonly adjustments: readonly { readonly amount: string; readonly adjustment_type: string }[];
}

const CUSTOMER = 'acme';

/** Runs a history over HTTP, with one customer of its own organization and a test clock. */
export class HttpBooks {
  private readonly metrics = new Map<string, string>();
  private readonly plans = new Map<string, string>();
  private readonly addons = new Map<string, string>();
  /** Voided invoices by number, as they were before: lists leave them out. */
  private readonly voided = new Map<string, WireInvoice>();
  private tracked = 0;

  constructor(
    private readonly request: TestAgent,
    private readonly history: History,
  ) {}

  /** Creates the metrics, plans, add-ons and the customer that the steps refer to. */
  async open(): Promise<void> {
    const { organization, customer, metrics, plans, addons, currency } = this.history;
    const { tax_rate, ...settings } = organization;
    await this.request
      .patch('/api/organization/')
      .send({ ...settings, tax_rate: tax_rate === null ? null : Number(tax_rate) })
      .expect(200);
    for (const [name, metric] of Object.entries(metrics)) {
      const { numeric_filters } = metric;
      const definition = { ...metric, ...numbers({ numeric_filters }) };
      const body = await this.created('/api/metrics/', {
        metric_name: name,
        event_name: name,
        ...definition,
      });
      this.metrics.set(name, body['metric_id']!);
    }
    for (const [name, plan] of Object.entries(plans)) {
      const body = await this.created('/api/plans/', { ...this.planBody(name, plan, currency.code) });
      this.plans.set(name, body['plan_id']!);
    }
    for (const [name, addon] of Object.entries(addons)) {
      const body = await this.created('/api/addons/', this.addonBody(name, addon, currency.code));
      this.addons.set(name, body['addon_id']!);
    }
    await this.created('/api/customers/', { customer_id: CUSTOMER, timezone: customer.timezone });
  }

  async take(step: Step): Promise<void> {
    await this.request.post('/api/test_clock/advance/').send({ to: step.at }).expect(200);
    switch (step.do) {
      case 'subscribe': {
        const { plan, start_date, end_date, auto_renew } = step;
        const body = {
          customer_id: CUSTOMER,
          plan_id: this.plans.get(plan),
          start_date,
          end_date,
          auto_renew,
          subscription_filters: step.subscription_filters ?? [],
        };
        await this.created('/api/subscriptions/', body);
        return;
      }
      case 'cancel': {
        const { flat_fee_behavior, usage_behavior, invoicing_behavior } = step;
        return this.triedOnTerm('cancel/', { flat_fee_behavior, usage_behavior, invoicing_behavior });
      }
      case 'update': {
        const { turn_off_auto_renew, end_date } = step;
        return this.triedOnTerm('update/', {
          turn_off_auto_renew,
          ...(end_date === null ? {} : { end_date }),
        });
      }
      case 'switch': {
        const { plan, usage_behavior, invoicing_behavior } = step;
        const body = { switch_plan_id: this.plans.get(plan), usage_behavior, invoicing_behavior };
        return this.triedOnTerm('switch_plan/', body);
      }
      case 'change_units': {
        const path = `components/${this.metrics.get(step.metric)}/change_prepaid_units/`;
        return this.triedOnTerm(path, { units: Number(step.units), invoice_now: step.invoice_now });
      }
      case 'attach': {
        const body = { addon_id: this.addons.get(step.addon), quantity: step.quantity };
        return this.triedOnTerm('addons/attach/', body);
      }
      case 'cancel_addon': {
        const { flat_fee_behavior, usage_behavior, invoicing_behavior } = step;
        const body = { flat_fee_behavior, usage_behavior, invoicing_behavior };
        return this.triedOnTerm(`addons/${this.addons.get(step.addon)}/cancel/`, body);
      }
      case 'void': {
        const invoice = (await this.wireInvoices())[step.invoice - 1];
        if (invoice?.payment_status !== 'unpaid' || this.voided.has(invoice.invoice_number)) return;
        this.voided.set(invoice.invoice_number, invoice);
        return this.tried(`/api/invoices/${invoice.invoice_id}/void/`, { rebill: step.rebill });
      }
      case 'track': {
        const id = `event-${String((this.tracked += 1)).padStart(6, '0')}`;
        const event = { event_name: step.metric, customer_id: CUSTOMER, idempotency_id: id };
        const value = step.value === null ? {} : { n: Number(step.value) };
        const properties = { ...step.properties, ...value };
        await this.created('/api/track/', { batch: [{ ...event, time_created: step.time, properties }] });
        return;
      }
      case 'pay': {
        for (const invoice of await this.wireInvoices()) {
          const { invoice_id: id, payment_status: status, invoice_number: name } = invoice;
          if (status === 'unpaid' && !this.voided.has(name))
            await this.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
        }
        return;
      }
      case 'credit': {
        const { amount, expires_at, amount_paid: paid = '0' } = step;
        const { code: currency_code } = this.history.currency;
        const sold =
          paid === '0' ? {} : { amount_paid: Number(paid), amount_paid_currency_code: currency_code };
        const credit = { customer_id: CUSTOMER, amount: Number(amount), expires_at, currency_code };
        await this.created('/api/credits/', { ...credit, ...sold });
        return;
      }
      case 'tax': {
        const rate = step.tax_rate === null ? null : Number(step.tax_rate);
        await this.request.patch(`/api/customers/${CUSTOMER}/`).send({ tax_rate: rate }).expect(200);
        return;
      }
      case 'basis': {
        const { proration_basis } = step;
        await this.request.patch('/api/organization/').send({ proration_basis }).expect(200);
        return;
      }
      case 'zone': {
        const { timezone } = step;
        await this.request.patch(`/api/customers/${CUSTOMER}/`).send({ timezone }).expect(200);
        return;
      }
      default:
    }
  }

  async invoices(): Promise<Invoice[]> {
    const wire = await this.wireInvoices();
    const places = new Map(wire.map(({ invoice_number: number }, place) => [number, place + 1]));
    return wire.map(({ issue_date, line_items, amount }) => ({
      at: new Date(issue_date).toISOString(),
      lines: line_items.map((line) => this.lineOf(line, places)),
      amount: this.minor(amount),
    }));
  }

  private lineOf(
    { name, plan, quantity, billing_type, base, amount, adjustments, ...dates }: WireLine,
    places: ReadonlyMap<string, number>,
  ): Line {
    const of = (type: string) =>
      adjustments
        .filter((one) => one.adjustment_type === type)
        .reduce((sum, one) => sum + this.minor(one.amount), 0n);
    return {
      name: name.replace(/^Applied to (.*)$/, (_, number: string) => `Applied to #${places.get(number)}`),
      plan: plan && plan.plan_name,
      quantity: quantity === null ? null : text(decimal(String(quantity))),
      billing_type,
      base: this.minor(base),
      amount: this.minor(amount),
      credit: of('credit'),
      plan_adjustment: of('plan_adjustment'),
      sales_tax: of('sales_tax'),
      // The API shows the last microsecond of a period as its end.
      from: new Date(dates.start_date).toISOString(),
      until: new Date(Date.parse(dates.end_date) + Number(dates.end_date.endsWith('999999Z'))).toISOString(),
    };
  }

  /** Returns all invoices in the order of their numbers. */
  private async wireInvoices(): Promise<WireInvoice[]> {
    const { body } = await this.request.get('/api/invoices/?limit=1000').expect(200);
    const number = ({ invoice_number: said }: WireInvoice) => said;
    return [...(body as WireInvoice[]), ...this.voided.values()].toSorted((a, b) =>
      number(a) < number(b) ? -1 : 1,
    );
  }

  private minor(amount: number | string): bigint {
    const scale = rational(10n ** BigInt(this.history.currency.decimals));
    return rounded(times(decimal(String(amount)), scale));
  }

  private planBody(name: string, { plan_duration, price_adjustment, ...version }: Plan, currency: string) {
    const { recurring_charges, components, day_anchor, month_anchor } = version;
    const adjustment = price_adjustment && { price_adjustment_name: 'adjustment', ...price_adjustment };
    const initial = {
      currency_code: currency,
      recurring_charges,
      day_anchor,
      month_anchor,
      price_adjustment: adjustment,
      components: components.map(this.componentBody),
    };
    return { plan_name: name, plan_duration, initial_version: numbers(initial) };
  }

  private addonBody(name: string, { recurring_charges, components, ...addon }: Addon, currency: string) {
    const priced = numbers({ recurring_charges, components: components.map(this.componentBody) });
    return { addon_name: name, initial_version: { ...addon, currency_code: currency, ...priced } };
  }

  private readonly componentBody = ({ metric, ...component }: Component) => ({
    metric_id: this.metrics.get(metric),
    ...component,
  });

  private async created(path: string, body: object): Promise<Record<string, string>> {
    const answer = await this.request.post(path).send(body);
    if (answer.status !== 201) throw new Error(`${path} ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, string>;
  }

  /** Sends a request to the running term: a renewal and a switch begin another. */
  private async triedOnTerm(path: string, body: object): Promise<void> {
    const active = `/api/subscriptions/?customer_id=${CUSTOMER}&status=active`;
    const { body: terms } = await this.request.get(active).expect(200);
    const id = (terms as { subscription_id: string }[])[0]?.subscription_id ?? 'sub_none';
    return this.tried(`/api/subscriptions/${id}/${path}`, body);
  }

  /** Sends a request that may be refused; a refusal changes nothing. */
  private async tried(path: string, body: object): Promise<void> {
    const { status } = await this.request.post(path).send(body);
    if (status >= 500) throw new Error(`${path} ${status}`);
  }
}

/** Converts decimal texts to numbers, as the API takes them. */
const numbers = (value: object): object =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === 'string' && /^-?\d+(\.\d+)?$/.test(one) ? Number(one) : one,
  ) as object;
