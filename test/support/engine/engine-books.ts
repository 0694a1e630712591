import { purchaseInvoice } from '../../../src/billing/rating/purchase-invoice.js';
import { derivedId, namedId, type Uuid } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import { fromExact, toStored } from '../../../src/kernel/money.js';
import { exactDecimalText, isZero, quantity } from '../../../src/kernel/quantity.js';
import type { Invoice, Step } from '../../calculator/history.js';
import { CUSTOMER, EngineAccount, ORG } from './engine-account.js';
import { addonContentOf, metricIdOf, pricedVersionOf } from './engine-content.js';
import { addonToAttach, lineOf, type Running } from './engine-terms.js';
import { eventOf } from './engine-usage.js';

type StepOf<K extends Step['do']> = Extract<Step, { readonly do: K }>;

/** One customer's account in memory, driven by the steps of a calculator's history. */
export class EngineBooks extends EngineAccount {
  /** Number of grants. The account drops spent credits, so their number is no substitute. */
  private granted = 0;

  get invoices(): Invoice[] {
    return this.computed.map(({ asOf, lines, total }) => ({
      at: new Date(asOf).toISOString(),
      lines: lines.map((line) => lineOf(line, (planId) => this.planOf(planId))),
      amount: BigInt(total.amount),
    }));
  }

  get creditLeft(): bigint {
    return [...this.credits.values()].reduce((sum, { remaining }) => sum + remaining, 0n);
  }

  take(step: Step): void {
    this.advanceTo(instant(step.at));
    this.do(step);
  }

  private do(step: Step): void {
    switch (step.do) {
      case 'subscribe':
        return this.subscribe(step);
      case 'cancel':
        return this.cancel(step);
      case 'update':
        return this.update(step);
      case 'switch':
        return this.switch(step);
      case 'change_units':
        return this.changeUnits(step);
      case 'replace':
        return this.replace(step);
      case 'attach':
        return this.attach(step);
      case 'cancel_addon':
        return this.cancelAddon(step);
      case 'void':
        return this.void(step);
      case 'track':
        this.usage.push(eventOf(step, CUSTOMER, this.usage.length));
        return this.noteUsage();
      case 'pay':
        return this.pay();
      case 'credit':
        return this.credit(step);
      case 'tax':
        this.customerRate = step.tax_rate;
        return;
      case 'basis':
        this.prorationBasis = step.proration_basis;
        return;
      case 'zone':
        this.zone = step.timezone;
        return;
      case 'advance':
        return;
    }
  }

  private subscribe(step: StepOf<'subscribe'>): void {
    const { subscription: name, plan, start_date: start, end_date: end, auto_renew: autoRenew } = step;
    const version = pricedVersionOf(this.history, plan);
    const filters = (step.subscription_filters ?? []).map(({ property_name: propertyName, value }) => ({
      propertyName,
      value,
    }));
    const request = {
      subscriptionId: namedId(`subscription ${name}`),
      customerKey: CUSTOMER,
      start: instant(start),
      end: end === null ? null : instant(end),
      autoRenew,
      isNew: true,
      filters,
      metadata: {},
      prepaidUnits: [],
      filterKeys: [],
      pricing: this.termPricingOf(version),
    };
    this.decide({ command: { type: 'StartSubscription', request }, name, version });
    this.closeTerms();
    this.bill();
  }

  private cancel(step: StepOf<'cancel'>): void {
    const terms = {
      flatFee: step.flat_fee_behavior,
      usage: step.usage_behavior,
      invoicing: step.invoicing_behavior,
    };
    const running = this.latestOf(step.subscription);
    const isDone = this.decide({ command: { type: 'CancelSubscription', terms }, running, ...running });
    if (isDone && terms.invoicing === 'invoice_now') this.bill();
  }

  private update({ subscription: name, turn_off_auto_renew, end_date }: StepOf<'update'>): void {
    const running = this.latestOf(name);
    const end = end_date === null ? {} : { end: instant(end_date) };
    const changes = { turnOffAutoRenew: turn_off_auto_renew, ...end };
    this.decide({ command: { type: 'ChangeTerm', changes }, running, ...running });
  }

  private switch(step: StepOf<'switch'>): void {
    const terms = { usage: step.usage_behavior, invoicing: step.invoicing_behavior };
    const running = this.latestOf(step.subscription);
    const version = pricedVersionOf(this.history, step.plan);
    const to = { version, former: running.version };
    const command = { type: 'SwitchPlan', terms, prepaidUnits: [], to } as const;
    if (!this.decide({ command, running, name: running.name, version })) return;
    if (terms.invoicing === 'invoice_now') this.bill();
    else this.meet(running.name);
  }

  private changeUnits(step: StepOf<'change_units'>): void {
    const running = this.latestOf(step.subscription);
    const change = {
      metricId: metricIdOf(step.metric),
      units: exactDecimalText(quantity(step.units)),
      invoiceNow: step.invoice_now,
    };
    const isDone = this.decide({ command: { type: 'ChangePrepaidUnits', change }, running, ...running });
    if (isDone && change.invoiceNow) this.bill();
  }

  private replace({ plan, by }: StepOf<'replace'>): void {
    this.replacements.set(pricedVersionOf(this.history, plan).versionId, pricedVersionOf(this.history, by));
  }

  private attach({ subscription: name, addon, quantity: count }: StepOf<'attach'>): void {
    const running = this.latestOf(name);
    const { billing_frequency: billingFrequency, invoice_when: invoiceWhen } = this.history.addons[addon]!;
    const content = addonContentOf(this.history, this.history.addons[addon]!);
    const sold = { name: addon, content, billingFrequency, invoiceWhen };
    const attached = addonToAttach(sold, count, running.version.content.components);
    if (!this.decide({ command: { type: 'AttachAddon', ...attached }, running, ...running })) return;
    if (invoiceWhen === 'invoice_on_attach') this.bill();
    else this.meet(name);
  }

  private cancelAddon(step: StepOf<'cancel_addon'>): void {
    const running = this.latestOf(step.subscription);
    const { flat_fee_behavior: flatFee, usage_behavior: usage, invoicing_behavior: invoicing } = step;
    const terms = { flatFee, usage, invoicing };
    const command = { type: 'CancelAddon', named: namedId(step.addon), terms } as const;
    const isDone = this.decide({ command, running, ...running });
    if (isDone && invoicing === 'invoice_now') this.bill();
  }

  private void({ invoice: number, rebill }: StepOf<'void'>): void {
    const invoiceId = this.computed[number - 1]?.invoiceId;
    if (!invoiceId || this.ledger.fullState.invoices.get(invoiceId)!.status !== 'unpaid') return;
    this.voidInvoice(invoiceId, rebill);
    if (rebill) this.bill();
  }

  private pay(): void {
    for (const { invoiceId, status } of [...this.ledger.fullState.invoices.values()]) {
      if (status !== 'unpaid') continue;
      const { currency } = this.computed.find((invoice) => invoice.invoiceId === invoiceId)!;
      this.record({ type: 'ChangePayment', invoiceId, currency, changes: { status: 'paid' } }, ORG);
    }
  }

  private credit(step: StepOf<'credit'>): void {
    const { code: currency } = this.history.currency;
    const {
      amount,
      expires_at: expiresAt,
      amount_paid: paid = '0',
      name = `credit ${(this.granted += 1)}`,
    } = step;
    const stored = (text: string) => toStored(fromExact(quantity(text), currency));
    const runId = derivedId(CUSTOMER, `sale of ${name}`);
    const invoiceId = derivedId(runId, 'invoice');
    const purchase = isZero(quantity(paid)) ? null : { invoiceId, amountPaid: stored(paid), zone: 'UTC' };
    const credit = {
      creditId: creditIdOf(name),
      customerKey: CUSTOMER,
      currency,
      amount: stored(amount),
      effectiveAt: this.now,
      expiresAt: expiresAt ? instant(expiresAt) : null,
      grantedAt: this.now,
      description: null,
      purchase,
    };
    const invoice = purchase && purchaseInvoice(credit, purchase, { ...this.runData(), runId, invoiceId });
    this.record({ type: 'GrantCredit', credit, invoice }, runId);
  }

  private latestOf(name: string): Running {
    return this.terms.findLast((running) => running.name === name)!;
  }
}

export const creditIdOf = (name: string): Uuid => namedId(`credit ${name}`);
