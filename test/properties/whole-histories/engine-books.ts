import { account, type AccountCommand } from '../../../src/billing/accounts/domain/account.js';
import type { ComputedInvoice } from '../../../src/billing/accounts/domain/event-data.js';
import { addonMember } from '../../../src/billing/rating/addon-members.js';
import { computeInvoice } from '../../../src/billing/rating/compute-invoice.js';
import { POLICY } from '../../../src/pricing/policy.js';
import type { RunData, RunTerm } from '../../../src/billing/rating/run.js';
import { scheduleOf } from '../../../src/billing/rating/schedule.js';
import { withSettlements } from '../../../src/billing/rating/effective-terms.js';
import { sha256Hex } from '../../../src/kernel/canonical-json.js';
import { DomainError } from '../../../src/kernel/errors.js';
import { derivedId, namedId, type Uuid } from '../../../src/kernel/ids.js';
import { MINUTE, instant, plusMicros, type Instant } from '../../../src/kernel/instant.js';
import { fromExact, toStored } from '../../../src/kernel/money.js';
import { quantity } from '../../../src/kernel/quantity.js';
import type { CountedEvent } from '../../../src/metering/domain/counter.js';
import type { SubscriptionEvent } from '../../../src/subscription/domain/events.js';
import type { PricedVersion, TermPricing } from '../../../src/subscription/domain/term-periods.js';
import { subscription, type SubscriptionCommand } from '../../../src/subscription/domain/subscription.js';
import { addonsOf } from '../../../src/subscription/domain/term-addons.js';
import type { History, Invoice, Step } from '../../calculator/history.js';
import { countsFor } from '../../golden/scenario-usage.js';
import { addonContentOf, metricIdOf, offerOf } from './engine-content.js';
import { lineOf, runTermOf, type Running } from './engine-terms.js';

type StepOf<K extends Step['do']> = Extract<Step, { readonly do: K }>;
const ORG = namedId('organization');
const CUSTOMER = namedId('customer');

/**
 * One customer's account in memory: runs the service's deciders, schedule and computation over a calculator's history.
 * Work falls due at its instant.
 */
export class EngineBooks {
  readonly computed: ComputedInvoice[] = [];
  private readonly terms: Running[] = [];
  private readonly usage: CountedEvent[] = [];
  private ledger = account.initial();
  private now: Instant;
  private customerRate: string | null;
  private granted = 0;

  constructor(private readonly history: History) {
    this.now = instant(history.steps[0]!.at);
    this.customerRate = history.customer.tax_rate;
  }

  get invoices(): Invoice[] {
    return this.computed.map(({ asOf, lines, total }) => ({
      at: new Date(asOf).toISOString(),
      lines: lines.map(lineOf),
      amount: BigInt(total.amount),
    }));
  }

  get creditLeft(): bigint {
    return [...this.ledger.credits.values()].reduce((sum, { remaining }) => sum + remaining, 0n);
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
      case 'track':
        return void this.usage.push(this.eventOf(step));
      case 'pay':
        return this.pay();
      case 'credit':
        return this.credit(step);
      case 'tax':
        this.customerRate = step.tax_rate;
        return;
      case 'advance':
        return;
      default:
        throw new Error(`not known: ${step.do}`);
    }
  }

  private eventOf({ metric, time, value }: StepOf<'track'>): CountedEvent {
    const idempotencyId = `event ${String(this.usage.length).padStart(6, '0')}`;
    return {
      ...{ idempotencyId, customerKey: CUSTOMER, eventName: metric, time: instant(time) },
      ...{ properties: value === null ? {} : { n: value }, bodyHash: sha256Hex(idempotencyId) },
    };
  }

  private subscribe({
    subscription: name,
    plan,
    start_date,
    end_date,
    auto_renew,
  }: StepOf<'subscribe'>): void {
    const offer = offerOf(this.history, plan);
    const request = {
      ...{
        subscriptionId: namedId(`subscription ${name}`),
        customerKey: CUSTOMER,
        start: instant(start_date),
      },
      ...{
        end: end_date === null ? null : instant(end_date),
        autoRenew: auto_renew,
        isNew: true,
        filters: [],
      },
      ...{ metadata: {}, prepaidUnits: [], filterKeys: [], measure: this.measureOf(offer) },
    };
    this.decide({ type: 'StartSubscription', request }, undefined, name, offer);
    this.closeTerms();
    this.bill();
  }

  private cancel(step: StepOf<'cancel'>): void {
    const terms = {
      ...{ flatFee: step.flat_fee_behavior, usage: step.usage_behavior, invoicing: step.invoicing_behavior },
    };
    const running = this.latestOf(step.subscription);
    const isDone = this.decide({ type: 'CancelSubscription', terms }, running, running.name, running.offer);
    if (isDone && terms.invoicing === 'invoice_now') this.bill();
  }

  private update({ subscription: name, turn_off_auto_renew, end_date }: StepOf<'update'>): void {
    const running = this.latestOf(name);
    const end = end_date === null ? {} : { end: instant(end_date) };
    const changes = { turnOffAutoRenew: turn_off_auto_renew, ...end };
    this.decide({ type: 'ChangeTerm', changes }, running, running.name, running.offer);
  }

  private switch(step: StepOf<'switch'>): void {
    const terms = { usage: step.usage_behavior, invoicing: step.invoicing_behavior };
    const running = this.latestOf(step.subscription);
    const offer = offerOf(this.history, step.plan);
    const to = { offer, former: running.offer };
    const isDone = this.decide(
      { type: 'SwitchPlan', terms, prepaidUnits: [], to },
      running,
      running.name,
      offer,
    );
    if (isDone && terms.invoicing === 'invoice_now') this.bill();
  }

  private changeUnits({
    subscription: name,
    metric,
    units,
    invoice_now: invoiceNow,
  }: StepOf<'change_units'>): void {
    const running = this.latestOf(name);
    const change = { metricId: metricIdOf(metric), units, invoiceNow };
    const isDone = this.decide({ type: 'ChangePrepaidUnits', change }, running, running.name, running.offer);
    if (isDone && invoiceNow) this.bill();
  }

  private pay(): void {
    for (const { invoiceId, status } of [...this.ledger.invoices.values()]) {
      if (status === 'paid') continue;
      const { code: currency } = this.history.currency;
      this.record({ type: 'ChangePayment', invoiceId, currency, changes: { status: 'paid' } }, ORG);
    }
  }

  private credit({ amount, expires_at: expiresAt }: StepOf<'credit'>): void {
    const { code: currency } = this.history.currency;
    const credit = {
      ...{ creditId: derivedId(CUSTOMER, `credit ${(this.granted += 1)}`), customerKey: CUSTOMER, currency },
      ...{ amount: toStored(fromExact(quantity(amount), currency)), description: null, purchase: null },
      ...{ effectiveAt: this.now, grantedAt: this.now, expiresAt: expiresAt ? instant(expiresAt) : null },
    };
    this.record({ type: 'GrantCredit', credit, invoice: null }, credit.creditId);
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
    this.terms.filter(({ state }) => state.closedAt === null).map(({ state }) => state.term.end);

  private billableAt(): Instant[] {
    const grace = this.history.organization.late_event_grace_minutes;
    return withSettlements(this.members(), { policy: POLICY }).flatMap((term) => {
      const { next } = scheduleOf(term, this.now, grace);
      return next ? [next.graced ? plusMicros(next.at, BigInt(grace) * MINUTE) : next.at] : [];
    });
  }

  private closeTerms(): void {
    for (let place = 0; place < this.terms.length; place += 1) {
      const running = this.terms[place]!;
      const renewal = { ...this.measureOf(running.offer), former: running.offer.content };
      this.decide({ type: 'CloseTerm', renewal }, running, running.name, running.offer);
    }
  }

  private latestOf(name: string): Running {
    return this.terms.findLast((running) => running.name === name)!;
  }

  /** Whether it was done; what is refused changes nothing. */
  private decide(
    command: SubscriptionCommand,
    running: Running | undefined,
    name: string,
    offer: PricedVersion,
  ): boolean {
    const commandId = derivedId(CUSTOMER, `${this.terms.length} ${this.now}`);
    try {
      const events = subscription.decide({ ...command, now: this.now, commandId }, running?.state);
      for (const event of events) this.apply(event, running, name, offer);
      return events.length > 0;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  private apply(
    event: SubscriptionEvent,
    running: Running | undefined,
    name: string,
    offer: PricedVersion,
  ): void {
    const state = subscription.evolve(running?.state, event)!;
    if (running) running.state = state;
    else this.terms.push({ state, name, offer });
    if (event.type !== 'SubscriptionRenewed' && event.type !== 'SubscriptionSwitched') return;
    const { successor: term, subscriptionId: predecessor } = event.data;
    const by = event.type === 'SubscriptionRenewed' ? 'renewal' : 'switch';
    this.decide({ type: 'StartSuccessor', term, by, predecessor, cause: ORG }, undefined, name, offer);
  }

  private bill(): void {
    const data = this.runData();
    this.record({ type: 'RecordRun', run: computeInvoice(data, countsFor(data, this.usage)) }, data.runId);
  }

  private record(command: AccountCommand, commandId: Uuid): void {
    const events = account.decide({ ...command, now: this.now, commandId }, this.ledger);
    this.ledger = events.reduce(account.evolve, this.ledger);
    for (const event of events) {
      if (event.type !== 'InvoiceComputed') continue;
      this.computed.push(event.data);
      const { invoiceId, issuedAt } = event.data;
      const data = { invoiceId, issuedAt, number: `#${this.computed.length}` };
      this.ledger = account.evolve(this.ledger, { type: 'InvoiceIssued', data });
    }
  }

  private runData(): RunData {
    const runId = derivedId(CUSTOMER, `run ${this.now} ${this.ledger.revision}`);
    const { organization, currency } = this.history;
    const { late_event_grace_minutes: lateEventGraceMinutes, tax_rate: taxRate } = organization;
    return {
      ...{ org: ORG, runId, invoiceId: derivedId(runId, 'invoice'), asOf: this.now, customerKey: CUSTOMER },
      ...{ currency: currency.code, account: this.ledger, terms: this.members(), policy: POLICY },
      organization: { settings: { taxRate, paymentGraceDays: null, lateEventGraceMinutes }, revision: '0' },
      customer: { taxRate: this.customerRate, revision: '0' },
    };
  }

  /** As a run reads them, the add-ons of each behind it. */
  private members(): RunTerm[] {
    return this.terms.flatMap((running) => {
      const own = runTermOf(running);
      const addons = addonsOf(own.term).map((addon) =>
        addonMember(own, addon, addonContentOf(this.history, this.history.addons[addon.name]!)),
      );
      return [own, ...addons];
    });
  }

  private measureOf(offer: PricedVersion): TermPricing {
    const { customer, organization } = this.history;
    return { offer, zone: customer.timezone, prorationBasis: organization.proration_basis };
  }
}
