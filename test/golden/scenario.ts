import { expect } from '@jest/globals';
import { account, type AccountCommand } from '../../src/billing/accounts/domain/account.js';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import { POLICY } from '../../src/pricing/policy.js';
import { purchaseInvoice } from '../../src/billing/rating/purchase-invoice.js';
import type { RunData, RunTerm } from '../../src/billing/rating/run.js';
import { scheduleOf } from '../../src/billing/rating/schedule.js';
import { DomainError } from '../../src/kernel/errors.js';
import { derivedId, namedId, type Uuid } from '../../src/kernel/ids.js';
import { MINUTE, instant, plusMicros, type Instant } from '../../src/kernel/instant.js';
import { fromExact, money, toDecimal, toStored } from '../../src/kernel/money.js';
import { exactDecimalText, isZero, quantity } from '../../src/kernel/quantity.js';
import type { CountedEvent } from '../../src/metering/domain/counter.js';
import type { SubscriptionEvent } from '../../src/subscription/domain/events.js';
import type { PricedVersion, TermPricing } from '../../src/subscription/domain/term-periods.js';
import { subscription, type SubscriptionCommand } from '../../src/subscription/domain/subscription.js';
import type { Running } from './running.js';
import { addonToAttach, membersOf } from './scenario-addons.js';
import { metricIdOf, offerOf, type ScenarioModel, type Step } from './scenario-model.js';
import { countsFor, eventOf } from './scenario-usage.js';
import { STEPS } from './steps.js';

const ORG = namedId('golden organization');
const CUSTOMER = namedId('golden customer');
const GRACE = 30;

/**
 * One customer's account in memory: the deciders, the schedule and the computation that the service runs, driven by
 * the steps of a golden case. The clock does on its way what falls due, each thing at its instant.
 */
export class Scenario {
  readonly invoices: ComputedInvoice[] = [];
  private readonly subscriptions: Running[] = [];
  private readonly replacements = new Map<Uuid, PricedVersion>();
  private readonly usage: CountedEvent[] = [];
  private ledger = account.initial();
  private now: Instant;

  constructor(private readonly model: ScenarioModel) {
    this.now = instant(model.steps[0]!.at);
  }

  /** Start of the newest term. */
  get newestStart(): Instant {
    return this.subscriptions
      .map(({ state }) => state.term.start)
      .sort()
      .at(-1)!;
  }

  /** What the newest term has paid for beforehand, of its first such component. */
  get latestUnits(): string | undefined {
    return this.subscriptions.at(-1)!.state.term.prepaidUnits?.[0]?.units;
  }

  /** End of the newest term, as it is shown. */
  get newestEnd(): Instant {
    const { end, scheduledEnd } = this.subscriptions.at(-1)!.state.term;
    return scheduledEnd ? plusMicros(end, -1n) : end;
  }

  /** Does a step; answers the invoices it issues. */
  take(step: Step): ComputedInvoice[] {
    const before = this.invoices.length;
    this.advanceTo(instant(step.at));
    STEPS[step.do]!(this, step);
    return this.invoices.slice(before);
  }

  subscribe({ plan, at }: Step): void {
    const offer = offerOf(this.model, plan!);
    const subscriptionId = namedId(`subscription ${this.subscriptions.length}`);
    const request = { subscriptionId, customerKey: CUSTOMER, start: instant(at), end: null, autoRenew: true };
    const rest = { isNew: true, filters: [], metadata: {}, prepaidUnits: [], filterKeys: [] };
    const measure = this.measureOf(offer);
    this.decide({ type: 'StartSubscription', request: { ...request, ...rest, measure } }, undefined, offer);
    this.bill();
  }

  /** Cancels the newest subscription, to be invoiced at once. */
  cancel({ flat_fee_behavior: flatFee = null }: Step): void {
    const running = this.subscriptions.at(-1)!;
    const terms = { flatFee, usage: 'bill_full', invoicing: 'invoice_now' } as const;
    this.decide({ type: 'CancelSubscription', terms }, running, running.offer);
    this.bill();
  }

  /** Switches the newest subscription to another plan; a refusal changes nothing. */
  switch({
    to,
    invoicing_behavior: invoicing = 'invoice_now',
    usage_behavior,
    expect: expected,
  }: Step): void {
    const running = this.subscriptions.at(-1)!;
    const offer = offerOf(this.model, to!);
    const terms = { usage: usage_behavior ?? 'transfer_to_new_subscription', invoicing } as const;
    const command = {
      type: 'SwitchPlan',
      terms,
      prepaidUnits: [],
      to: { offer, former: running.offer },
    } as const;
    if (expected?.status === 400) {
      expect(() => this.decide(command, running, offer)).toThrow(DomainError);
      return;
    }
    this.decide(command, running, offer);
    this.bill();
  }

  update({ turn_off_auto_renew: turnOffAutoRenew = false }: Step): void {
    const running = this.subscriptions.at(-1)!;
    this.decide({ type: 'ChangeTerm', changes: { turnOffAutoRenew } }, running, running.offer);
  }

  changePrepaidUnits({ metric, units, invoice_now: invoiceNow = true }: Step): void {
    const running = this.subscriptions.at(-1)!;
    const change = { metricId: metricIdOf(metric!), units: exactDecimalText(quantity(units!)), invoiceNow };
    this.decide({ type: 'ChangePrepaidUnits', change }, running, running.offer);
    if (invoiceNow) this.bill();
  }

  /** What a version's subscriptions renew to. */
  setReplacement({ version, replace_with: replacement }: Step): void {
    this.replacements.set(offerOf(this.model, version!).versionId, offerOf(this.model, replacement!));
  }

  track(step: Step): void {
    this.usage.push(eventOf(step, CUSTOMER, this.usage.length));
  }

  /** To the newest subscription. */
  attachAddon(step: Step): void {
    const running = this.subscriptions.at(-1)!;
    this.decide({ type: 'AttachAddon', ...addonToAttach(this.model, step, running) }, running, running.offer);
    this.bill();
  }

  createCredit({
    name = 'credit',
    amount,
    expires_at: expiresAt,
    amount_paid: amountPaid = '0',
  }: Step): void {
    const currency = this.model.org?.default_currency_code ?? 'USD';
    const stored = (text: string) => toStored(fromExact(quantity(text), currency));
    const saleId = namedId(`sale of ${name}`);
    const price = quantity(amountPaid);
    const purchase = isZero(price)
      ? null
      : { invoiceId: derivedId(saleId, 'invoice'), amountPaid: stored(amountPaid), zone: 'UTC' };
    const credit = {
      creditId: creditIdOf(name),
      customerKey: CUSTOMER,
      currency,
      amount: stored(amount!),
      description: null,
      effectiveAt: this.now,
      expiresAt: expiresAt ? instant(expiresAt) : null,
      grantedAt: this.now,
      purchase,
    };
    const sale = { ...this.runData(), runId: saleId, invoiceId: derivedId(saleId, 'invoice') };
    const invoice = purchase && purchaseInvoice(credit, purchase, sale);
    this.record({ type: 'GrantCredit', credit, invoice }, saleId);
  }

  payOpenInvoices(): void {
    const changes = { status: 'paid' as const };
    for (const { invoiceId, status } of [...this.ledger.invoices.values()]) {
      if (status === 'paid') continue;
      const currency = this.invoices.find((invoice) => invoice.invoiceId === invoiceId)!.currency;
      this.record({ type: 'ChangePayment', invoiceId, currency, changes }, ORG);
    }
  }

  get creditLeft(): string {
    const credits = [...this.ledger.credits.values()];
    const left = credits.reduce((sum, { remaining }) => sum + remaining, 0n);
    return toDecimal(money(left, credits[0]?.currency ?? 'USD'));
  }

  remainingOf(name: string): string {
    const { remaining, currency } = this.ledger.credits.get(creditIdOf(name))!;
    return toDecimal(money(remaining, currency));
  }

  /** First the boundaries, then one run where something is billed, at every instant on the way. */
  private advanceTo(to: Instant): void {
    for (;;) {
      const billable = this.billableAt();
      const next = [...this.boundaries(), ...billable].filter((at) => at <= to).sort()[0];
      if (next === undefined) break;
      this.now = next > this.now ? next : this.now;
      this.closeTerms();
      if (billable.includes(next)) this.bill();
    }
    this.now = to;
  }

  private readonly boundaries = (): Instant[] =>
    this.subscriptions.filter(({ state }) => state.closedAt === null).map(({ state }) => state.term.end);

  private readonly billableAt = (): Instant[] =>
    this.terms().flatMap((term) => {
      const { next } = scheduleOf(term, this.now, GRACE);
      return next ? [next.graced ? plusMicros(next.at, BigInt(GRACE) * MINUTE) : next.at] : [];
    });

  private closeTerms(): void {
    for (const running of [...this.subscriptions]) {
      const offer = this.replacements.get(running.offer.versionId) ?? running.offer;
      this.decide({ type: 'CloseTerm', renewal: this.measureOf(offer) }, running, offer);
    }
  }

  private decide(command: SubscriptionCommand, running: Running | undefined, offer: PricedVersion): void {
    const commandId = derivedId(CUSTOMER, `${this.subscriptions.length} ${this.now}`);
    for (const event of subscription.decide({ ...command, now: this.now, commandId }, running?.state)) {
      this.apply(event, running, offer);
    }
  }

  private apply(event: SubscriptionEvent, running: Running | undefined, offer: PricedVersion): void {
    const state = subscription.evolve(running?.state, event)!;
    if (running) running.state = state;
    else this.subscriptions.push({ state, offer });
    if (event.type !== 'SubscriptionRenewed' && event.type !== 'SubscriptionSwitched') return;
    const { successor: term, subscriptionId: predecessor } = event.data;
    const by = event.type === 'SubscriptionRenewed' ? 'renewal' : 'switch';
    this.decide({ type: 'StartSuccessor', term, by, predecessor, cause: ORG }, undefined, offer);
  }

  private bill(): void {
    const data = this.runData();
    const counted = countsFor(data, this.usage);
    const run = computeInvoice(data, counted);
    this.record({ type: 'RecordRun', run }, data.runId);
  }

  private record(command: AccountCommand, commandId: Uuid): void {
    for (const event of account.decide({ ...command, now: this.now, commandId }, this.ledger)) {
      this.ledger = account.evolve(this.ledger, event);
      if (event.type !== 'InvoiceComputed') continue;
      this.invoices.push(event.data);
      const { invoiceId, issuedAt } = event.data;
      const data = { invoiceId, issuedAt, number: `260101-${this.invoices.length}` };
      this.ledger = account.evolve(this.ledger, { type: 'InvoiceIssued', data });
    }
  }

  private runData(): RunData {
    const runId = derivedId(CUSTOMER, `run ${this.now} ${this.ledger.revision}`);
    const { org, customer } = this.model;
    const settings = { taxRate: org?.tax_rate ?? null, paymentGraceDays: null, lateEventGraceMinutes: GRACE };
    const terms = this.terms();
    return {
      org: ORG,
      runId,
      invoiceId: derivedId(runId, 'invoice'),
      asOf: this.now,
      customerKey: CUSTOMER,
      currency: terms[0]?.content.currency ?? org?.default_currency_code ?? 'USD',
      organization: { settings, revision: '0' },
      customer: { taxRate: customer?.tax_rate ?? null, revision: '0' },
      account: this.ledger,
      terms,
      policy: POLICY,
    };
  }

  private readonly terms = (): RunTerm[] =>
    this.subscriptions.flatMap((running) => membersOf(this.model, running));

  private measureOf(offer: PricedVersion): TermPricing {
    const zone = this.model.customer?.timezone ?? 'UTC';
    return { offer, zone, prorationBasis: this.model.org?.proration_basis ?? 'second' };
  }
}

export const creditIdOf = (name: string): Uuid => namedId(`credit ${name}`);
