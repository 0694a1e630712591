import { Account } from './account.js';
import { attach, cancelAddon, sharesMetrics } from './addons.js';
import { HOUR, MINUTE, type Ms } from './calendar.js';
import type { Due } from './dues.js';
import { duesOfTerm } from './settled-dues.js';
import type { History, Invoice, Step } from './history.js';
import { firstTerm } from './first-term.js';
import { grantCredit, issue } from './invoice.js';
import type { UsageEvent } from './metering.js';
import { decimal } from './rational.js';
import { draftsOf } from './run.js';
import { periodsOf, type Term } from './terms.js';
import { renewed } from './renewal.js';
import { dropPaidNettings } from './settlement.js';
import { switched } from './switch.js';
import { voidInvoice } from './voids.js';

/** Time between late usage and the run that bills it. */
const LATE: Ms = 30 * MINUTE;

type StepOf<K extends Step['do']> = Extract<Step, { readonly do: K }>;

/**
 * Computes the invoices of a history as docs/billing.md says, without any code of the service, and without
 * optimization. It bills at each step, and between steps whenever something falls due.
 */
export class Calculator {
  private readonly account = new Account();
  private readonly terms: Term[] = [];
  private readonly events: UsageEvent[] = [];
  /** Latest terms by the subscription's name. */
  private readonly latest = new Map<string, Term>();
  /** Cache of dues by term, valid until the next step. */
  private readonly dues = new Map<Term, readonly Due[]>();
  private now = 0;
  /** Instant at which the charges of a voided invoice are billed again. */
  private voidDue: Ms | null = null;
  /** Instant at which late usage is billed if no other run is scheduled then. */
  private lateDue: Ms | null = null;
  /** Replacement plans by plan. */
  private readonly replacements = new Map<string, string>();
  private ids = 0;
  private readonly grace: Ms;
  private customerRate: string | null;

  constructor(private history: History) {
    this.grace = history.organization.late_event_grace_minutes * MINUTE;
    this.customerRate = history.customer.tax_rate;
  }

  get invoices(): Invoice[] {
    return this.account.invoices.map(({ at, lines, amount }) => ({
      at: new Date(at).toISOString(),
      lines,
      amount,
    }));
  }

  get creditLeft(): bigint {
    return this.account.credits.reduce((all, { left }) => all + left, 0n);
  }

  take(step: Step): void {
    this.advanceTo(Date.parse(step.at));
    this.do(step);
  }

  private do(step: Step): void {
    if (step.do !== 'track') this.dues.clear();
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
      case 'attach':
        return this.attach(step);
      case 'cancel_addon':
        return this.cancelAddon(step);
      case 'replace':
        return void this.replacements.set(step.plan, step.by);
      case 'void':
        return this.void(step);
      case 'track':
        return this.track(step);
      case 'pay':
        return this.pay();
      case 'credit':
        return grantCredit(step, this.now, this.history.currency, this.account);
      case 'tax':
        this.customerRate = step.tax_rate;
        return;
      case 'basis':
      case 'zone':
        return this.setForLaterTerms(step);
      case 'advance':
        return;
    }
  }

  /** Advances the clock. At every instant at which something falls due it renews terms, then bills once. */
  private advanceTo(to: Ms): void {
    for (;;) {
      const boundaries = this.terms.filter((term) => this.isOpen(term)).map(({ end }) => end);
      const dues = this.dueInstants().filter((at) => at > this.now);
      const next = Math.min(...boundaries, ...dues, this.lateDue ?? Infinity);
      if (next > to) break;
      this.now = Math.max(next, this.now);
      this.renew();
      const isLate = this.lateDue === this.now;
      if (isLate) this.lateDue = null;
      if (this.dueInstants().includes(this.now) || (isLate && this.isIdle())) this.bill();
    }
    this.now = to;
  }

  /** Tells whether no further run is scheduled. */
  private isIdle(): boolean {
    return this.dueInstants().every((at) => at <= this.now);
  }

  /** Returns every instant at which a run is due. */
  private dueInstants(): Ms[] {
    const dues = this.terms.flatMap((term) =>
      this.duesOf(term).flatMap(({ at, anyRun }) => (anyRun ? [] : [at])),
    );
    return this.voidDue === null ? dues : [...dues, this.voidDue];
  }

  private duesOf(term: Term): readonly Due[] {
    const known = this.dues.get(term);
    if (known) return known;
    const dues = duesOfTerm(term, this.terms, this.history, this.grace);
    this.dues.set(term, dues);
    return dues;
  }

  private readonly isOpen = (term: Term): boolean =>
    this.latest.get(term.subscription) === term && !term.cut && !this.ended.has(term);
  private readonly ended = new Set<Term>();

  /** Renews or ends each term whose end has come. */
  private renew(): void {
    for (;;) {
      const term = this.terms.find((one) => this.isOpen(one) && one.end <= this.now);
      if (!term) return;
      if (term.autoRenew) this.begin(renewed(term, this.renewedPlan(term), this.history, this.nextId));
      else this.ended.add(term);
    }
  }

  /** Follows the chain of replacements to its end. */
  private renewedPlan({ plan: own }: Term): string {
    let plan = own;
    for (let next = this.replacements.get(plan); next; next = this.replacements.get(next)) plan = next;
    return plan;
  }

  private readonly nextId = (): number => (this.ids += 1);

  private begin(term: Term): void {
    this.terms.push(term);
    this.latest.set(term.subscription, term);
  }

  private bill(): void {
    this.voidDue = null;
    const terms = [...this.terms].sort((a, b) => a.start - b.start || a.id - b.id);
    const run = {
      now: this.now,
      rate: this.customerRate ?? this.history.organization.tax_rate,
      dues: terms.flatMap((term) => this.duesOf(term)),
      events: [...this.events].sort((a, b) => a.at - b.at),
      history: this.history,
    };
    issue(draftsOf(run, this.account), run, this.account);
  }

  private subscribe(step: StepOf<'subscribe'>): void {
    this.begin(firstTerm(step, this.history, this.nextId()));
    this.renew();
    this.bill();
  }

  private cancel(step: StepOf<'cancel'>): void {
    const term = this.latest.get(step.subscription)!;
    if (!this.isOpen(term)) return;
    const now = Math.max(this.now, term.start);
    const isNow = step.invoicing_behavior === 'invoice_now';
    const period = periodsOf(term).find(({ end }) => now < end)!;
    term.cut = {
      // A subscription that never began owes nothing.
      flatFee: this.now < term.start ? 'refund' : step.flat_fee_behavior,
      by: 'cancel',
      usage: step.usage_behavior,
      graced: !isNow,
      billedAt: isNow ? this.now : period.end,
      periodEnd: period.end,
    };
    term.end = now;
    term.autoRenew = false;
    if (isNow) this.bill();
  }

  private update({ subscription, turn_off_auto_renew, end_date }: StepOf<'update'>): void {
    const term = this.latest.get(subscription)!;
    if (!this.isOpen(term)) return;
    if (turn_off_auto_renew) term.autoRenew = false;
    const end = end_date === null ? term.end : Date.parse(end_date);
    if (end === term.end || end <= Math.max(this.now, term.start)) return;
    term.end = end;
    term.endMoved = true;
    for (const change of term.units) change.settledAtEnd = true;
  }

  private switch({ subscription, plan: name, usage_behavior, invoicing_behavior }: StepOf<'switch'>): void {
    const term = this.latest.get(subscription)!;
    if (!this.isOpen(term) || term.plan === name || sharesMetrics(term, name, this.history)) return;
    const end = Math.max(this.now, term.start);
    const isNow = invoicing_behavior === 'invoice_now' || this.now < term.start;
    const next = switched(term, name, { at: end, isNow, usage: usage_behavior }, this.history, this.nextId());
    const period = periodsOf(term).find((one) => end < one.end)!;
    term.cut = {
      by: 'switch',
      flatFee: null,
      usage: usage_behavior,
      graced: !isNow,
      billedAt: isNow ? end : period.end,
      periodEnd: period.end,
    };
    term.end = end;
    const metrics = new Set(next.prices.components.map(({ metric }) => metric));
    const moved = new Set([...next.carriedOver!.usage.keys()].filter((metric) => metrics.has(metric)));
    // Several switches at one instant count as one.
    for (const one of this.terms) {
      if (one.subscription === subscription && one.cut?.by === 'switch' && one.end === end) one.moved = moved;
    }
    this.begin(next);
    if (invoicing_behavior === 'invoice_now') this.bill();
  }

  private changeUnits({ subscription, metric, units, invoice_now }: StepOf<'change_units'>): void {
    const term = this.latest.get(subscription)!;
    const held = term.units.findLast((change) => change.metric === metric);
    if (!this.isOpen(term) || !held) return;
    const waits = term.units.some((change) => change.metric === metric && change.waits);
    if (held.units === units && !(invoice_now && waits)) return;
    const change = { at: this.now, metric, units, isChange: true, settledAtEnd: false };
    term.units.push({ ...change, waits: !invoice_now });
    if (invoice_now) this.bill();
  }

  private attach({ subscription, ...step }: StepOf<'attach'>): void {
    const term = this.latest.get(subscription)!;
    const { now, history } = this;
    const isDone = this.isOpen(term) && attach(term, step, { now, history, id: this.nextId() });
    if (isDone && history.addons[step.addon]!.invoice_when === 'invoice_on_attach') this.bill();
  }

  private cancelAddon({ subscription, ...step }: StepOf<'cancel_addon'>): void {
    const term = this.latest.get(subscription)!;
    const isDone = this.isOpen(term) && cancelAddon(term, step, this.now);
    if (isDone && step.invoicing_behavior === 'invoice_now') this.bill();
  }

  /** Voids an invoice. Its charges are billed again at once, with the account's next boundary, or within the hour. */
  private void({ invoice, rebill }: StepOf<'void'>): void {
    if (!voidInvoice(this.account, invoice, this.now)) return;
    if (rebill) return void this.bill();
    if (this.account.invoices[invoice - 1]!.entries.length === 0) return;
    const ends = this.terms.flatMap((term) => (this.isOpen(term) ? [term.end + this.grace] : []));
    const ahead = [...ends, ...this.dueInstants()].filter((at) => at > this.now);
    this.voidDue = ahead.length > 0 ? Math.min(...ahead) : this.now + HOUR;
  }

  private setForLaterTerms({ do: _do, at: _at, ...setting }: StepOf<'basis' | 'zone'>): void {
    const { organization, customer } = this.history;
    this.history =
      'timezone' in setting
        ? { ...this.history, customer: { ...customer, ...setting } }
        : { ...this.history, organization: { ...organization, ...setting } };
  }

  private pay(): void {
    for (const invoice of this.account.invoices) invoice.costDue = 0n;
    dropPaidNettings(this.account);
  }

  private track({ metric, time, value, properties = {} }: StepOf<'track'>): void {
    const at = Date.parse(time);
    this.lateDue ??= this.now + LATE;
    if (value === null) this.events.push({ at, metric, value, properties });
    else this.events.push({ at, metric, value: decimal(value), properties: { ...properties, n: value } });
  }
}
