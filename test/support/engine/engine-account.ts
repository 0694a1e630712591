import type { AccountCommand } from '../../../src/billing/decider/domain/account.js';
import type { ComputedInvoice } from '../../../src/billing/accounts/domain/event-data.js';
import { computeInvoice, dueDatesOf } from '../../../src/billing/rating/compute-invoice.js';
import { addonMember, unsettledTerms } from '../../../src/billing/rating/run-terms.js';
import type { DueDate } from '../../../src/billing/rating/run.js';
import { dueInstant, graceOf } from '../../../src/billing/rating/run-terms.js';
import type { RunData, RunTerm } from '../../../src/billing/rating/run.js';
import { scheduleOf } from '../../../src/billing/rating/schedule.js';
import { DomainError } from '../../../src/kernel/errors.js';
import { derivedId, namedId, type Uuid } from '../../../src/kernel/ids.js';
import { MINUTE, instant, plusMicros, type Instant } from '../../../src/kernel/instant.js';
import type { CountedEvent } from '../../../src/metering/domain/counter.js';
import { PRICING_POLICY } from '../../../src/pricing/pricing-policy.js';
import type { SubscriptionEvent } from '../../../src/subscription/domain/events.js';
import { termDecider, type TermCommand } from '../../../src/subscription/domain/term-decider.js';
import {
  addonsOf,
  type TermPricing,
  type PricedVersion,
} from '../../../src/subscription/domain/term-periods.js';
import type { History } from '../../calculator/history.js';
import { AccountLedger } from '../account-ledger.js';
import { addonContentOf, planIdOf } from './engine-content.js';
import { runTermOf, type Running } from './engine-terms.js';
import { countsFor } from './engine-usage.js';

export const ORG = namedId('organization');
export const CUSTOMER = namedId('customer');

/** A command on a subscription; without `running` it starts one. */
export interface CommandOnTerm {
  readonly command: TermCommand;
  readonly running?: Running | undefined;
  readonly name: string;
  /** Version of the term, or of the term that the command starts. */
  readonly version: PricedVersion;
}

/**
 * One customer's account in memory, with the service's deciders, schedule and computation. Due work runs when the
 * clock passes its instant.
 */
export class EngineAccount {
  readonly computed: ComputedInvoice[] = [];
  readonly terms: Running[] = [];
  /** Replacement versions by version id. */
  protected readonly replacements = new Map<Uuid, PricedVersion>();
  protected readonly usage: CountedEvent[] = [];
  protected readonly ledger = new AccountLedger();
  /** Number of commands, which makes their ids unique. */
  private commands = 0;
  /** Instants at which voided charges fall due again, even when nothing else is due then. */
  private voidedDue: DueDate[] = [];
  /** Instant at which late usage is billed if no other run is scheduled then. */
  private lateDue: Instant | null = null;
  protected now: Instant;
  protected customerRate: string | null;
  protected prorationBasis: 'second' | 'day';
  protected zone: string;

  /** @param refuse what to do about a refused command; by default it just changes nothing */
  constructor(
    protected readonly history: History,
    private readonly refuse: (refusal: DomainError) => void = () => {},
  ) {
    this.now = instant(history.steps[0]!.at);
    this.customerRate = history.customer.tax_rate;
    this.prorationBasis = history.organization.proration_basis;
    this.zone = history.customer.timezone;
  }

  get credits() {
    return this.ledger.state.credits;
  }

  /** Advances the clock. At every instant at which something falls due it renews terms, then bills once. */
  protected advanceTo(to: Instant): void {
    for (;;) {
      const billable = this.billableAt();
      const late = this.lateDue === null ? [] : [this.lateDue];
      const next = [...this.boundaries(), ...billable, ...late].filter((at) => at <= to).sort()[0];
      if (next === undefined) break;
      this.now = next > this.now ? next : this.now;
      const isLate = next === this.lateDue;
      if (isLate) this.lateDue = null;
      this.closeTerms();
      if (billable.includes(next) || (isLate && billable.length === 0)) this.bill();
    }
    this.now = to;
  }

  /** Notes that usage arrived: the service looks for late usage half an hour later. */
  protected noteUsage(): void {
    this.lateDue ??= plusMicros(this.now, 30n * MINUTE);
  }

  protected closeTerms(): void {
    for (let index = 0; index < this.terms.length; index += 1) {
      const running = this.terms[index]!;
      const version = this.renewedVersion(running.version);
      const renewal = { ...this.termPricingOf(version), former: running.version.content };
      this.decide({ command: { type: 'CloseTerm', renewal }, running, name: running.name, version });
    }
  }

  /** Follows the chain of replacements to its end. */
  private renewedVersion(own: PricedVersion): PricedVersion {
    let version = own;
    for (let next = this.replacements.get(own.versionId); next; next = this.replacements.get(next.versionId))
      version = next;
    return version;
  }

  /** Decides a command. @returns whether it changed something; a refused command does not */
  protected decide({ command, running, name, version }: CommandOnTerm): boolean {
    const commandId = derivedId(CUSTOMER, `command ${(this.commands += 1)}`);
    try {
      const events = termDecider.decide({ ...command, now: this.now, commandId }, running?.state);
      for (const event of events) this.applyToTerm(event, running, name, version);
      return events.length > 0;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.refuse(error);
      return false;
    }
  }

  protected bill(): void {
    this.voidedDue = [];
    const data = this.runData();
    this.record({ type: 'RecordRun', run: computeInvoice(data, countsFor(data, this.usage)) }, data.runId);
  }

  /** Records when the newest term of a subscription falls due: a change of it is not invoiced now. */
  protected meet(name: string): void {
    const data = this.runData();
    const { state } = this.terms.findLast((running) => running.name === name)!;
    const run = dueDatesOf(data, [state.term.subscriptionId]);
    this.record({ type: 'RecordRun', run }, data.runId);
  }

  protected record(command: AccountCommand, commandId: Uuid): void {
    const events = this.ledger.decide({ ...command, now: this.now, commandId });
    this.ledger.happened(...events);
    for (const event of events) {
      if (event.type !== 'InvoiceComputed') continue;
      this.computed.push(event.data);
      const { invoiceId, issuedAt } = event.data;
      const data = { invoiceId, issuedAt, number: `#${this.computed.length}` };
      this.ledger.happened({ type: 'InvoiceIssued', data });
    }
  }

  /** Voids an invoice. With `rebill` its charges fall due again at once. */
  protected voidInvoice(invoiceId: Uuid, rebill: boolean): void {
    const read = this.ledger.invoiceToVoid(invoiceId);
    const termEnds = this.terms.flatMap(({ state }) => (state.closedAt === null ? [state.term.end] : []));
    this.record({ type: 'VoidInvoice', ...read, termEnds, rebill }, derivedId(invoiceId, 'void'));
    const voided = this.ledger.log.findLast((event) => event.type === 'InvoiceVoided')!;
    this.voidedDue = voided.data.terms.flatMap(({ nextDueAt: at, nextDueGraced: graced }) =>
      at === null ? [] : [{ at, graced }],
    );
  }

  protected runData(): RunData {
    const runId = derivedId(CUSTOMER, `run ${this.now} ${this.ledger.state.revision}`);
    const { organization, currency } = this.history;
    const { late_event_grace_minutes: lateEventGraceMinutes, tax_rate: taxRate } = organization;
    return {
      org: ORG,
      runId,
      invoiceId: derivedId(runId, 'invoice'),
      asOf: this.now,
      customerKey: CUSTOMER,
      currency: currency.code,
      account: this.ledger.state,
      terms: this.members(),
      policy: PRICING_POLICY,
      organization: { settings: { taxRate, paymentGraceDays: null, lateEventGraceMinutes }, revision: '0' },
      customer: { taxRate: this.customerRate, revision: '0' },
    };
  }

  protected termPricingOf(version: PricedVersion): TermPricing {
    const { prorationBasis, zone } = this;
    return { version, zone, prorationBasis };
  }

  private readonly boundaries = (): Instant[] =>
    this.terms.filter(({ state }) => state.closedAt === null).map(({ state }) => state.term.end);

  private billableAt(): Instant[] {
    const lateEventGraceMinutes = this.history.organization.late_event_grace_minutes;
    const grace = graceOf({ lateEventGraceMinutes });
    const scheduled = unsettledTerms(this.runData()).map((term) => scheduleOf(term, this.now, grace).next);
    return [...scheduled, ...this.voidedDue].flatMap((next) => (next ? [dueInstant(next, grace)] : []));
  }

  private applyToTerm(
    event: SubscriptionEvent,
    running: Running | undefined,
    name: string,
    version: PricedVersion,
  ): void {
    const state = termDecider.evolve(running?.state, event)!;
    if (running) running.state = state;
    else this.terms.push({ state, name, version });
    if (event.type !== 'SubscriptionRenewed' && event.type !== 'SubscriptionSwitched') return;
    const { successor: term, subscriptionId: predecessor } = event.data;
    const by = event.type === 'SubscriptionRenewed' ? 'renewal' : 'switch';
    const command = { type: 'StartSuccessor', term, by, predecessor, cause: ORG } as const;
    this.decide({ command, name, version });
  }

  /** Returns the name of a plan in the history. */
  protected planOf(planId: string): string {
    return Object.keys(this.history.plans).find((name) => planIdOf(name) === planId)!;
  }

  /** Returns the terms as a run reads them, each followed by its add-ons. */
  private members(): RunTerm[] {
    return this.terms.flatMap((running) => {
      const own = runTermOf(running, this.planOf(running.version.planId));
      const addons = addonsOf(own.term).map((addon) =>
        addonMember(own, addon, addonContentOf(this.history, this.history.addons[addon.name]!)),
      );
      return [own, ...addons];
    });
  }
}
