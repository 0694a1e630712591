import { account, type AccountCommand } from '../../../src/billing/accounts/domain/account.js';
import type { ComputedInvoice } from '../../../src/billing/accounts/domain/event-data.js';
import { addonMember } from '../../../src/billing/rating/addon-members.js';
import { computeInvoice } from '../../../src/billing/rating/compute-invoice.js';
import { withSettlements } from '../../../src/billing/rating/effective-terms.js';
import type { RunData, RunTerm } from '../../../src/billing/rating/run.js';
import { scheduleOf } from '../../../src/billing/rating/schedule.js';
import { DomainError } from '../../../src/kernel/errors.js';
import { derivedId, namedId, type Uuid } from '../../../src/kernel/ids.js';
import { MINUTE, instant, plusMicros, type Instant } from '../../../src/kernel/instant.js';
import type { CountedEvent } from '../../../src/metering/domain/counter.js';
import { POLICY } from '../../../src/pricing/policy.js';
import type { SubscriptionEvent } from '../../../src/subscription/domain/events.js';
import { subscription, type SubscriptionCommand } from '../../../src/subscription/domain/subscription.js';
import {
  addonsOf,
  type TermPricing,
  type PricedVersion,
} from '../../../src/subscription/domain/term-periods.js';
import type { History } from '../../calculator/history.js';
import { addonContentOf } from './engine-content.js';
import { runTermOf, type Running } from './engine-terms.js';
import { countsFor } from './engine-usage.js';

export const ORG = namedId('organization');
export const CUSTOMER = namedId('customer');

/** A command on a subscription; without `running` it begins one. */
export interface TermCommand {
  readonly command: SubscriptionCommand;
  readonly running?: Running | undefined;
  readonly name: string;
  /** The version of the term, or of the one that the command begins. */
  readonly offer: PricedVersion;
}

/**
 * One customer's account in memory: the service's deciders, schedule and computation. Work falls due at its instant, as
 * the clock passes it.
 */
export class EngineAccount {
  readonly computed: ComputedInvoice[] = [];
  readonly terms: Running[] = [];
  /** Versions that a version's subscriptions renew to. */
  protected readonly replacements = new Map<Uuid, PricedVersion>();
  protected readonly usage: CountedEvent[] = [];
  protected ledger = account.initial();
  protected now: Instant;
  protected customerRate: string | null;

  /** @param refuse what to do about a refused command; by default it just changes nothing */
  constructor(
    protected readonly history: History,
    private readonly refuse: (refusal: DomainError) => void = () => {},
  ) {
    this.now = instant(history.steps[0]!.at);
    this.customerRate = history.customer.tax_rate;
  }

  get credits() {
    return this.ledger.credits;
  }

  /** Boundaries first, then one run where something is billed, at every instant on the way. */
  protected advanceTo(to: Instant): void {
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

  protected closeTerms(): void {
    for (let place = 0; place < this.terms.length; place += 1) {
      const running = this.terms[place]!;
      const offer = this.replacements.get(running.offer.versionId) ?? running.offer;
      const renewal = { ...this.measureOf(offer), former: running.offer.content };
      this.decide({ command: { type: 'CloseTerm', renewal }, running, name: running.name, offer });
    }
  }

  /** Whether it was done; what is refused changes nothing. */
  protected decide({ command, running, name, offer }: TermCommand): boolean {
    const commandId = derivedId(CUSTOMER, `${this.terms.length} ${this.now}`);
    try {
      const events = subscription.decide({ ...command, now: this.now, commandId }, running?.state);
      for (const event of events) this.apply(event, running, name, offer);
      return events.length > 0;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.refuse(error);
      return false;
    }
  }

  protected bill(): void {
    const data = this.runData();
    this.record({ type: 'RecordRun', run: computeInvoice(data, countsFor(data, this.usage)) }, data.runId);
  }

  protected record(command: AccountCommand, commandId: Uuid): void {
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

  protected runData(): RunData {
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

  protected measureOf(offer: PricedVersion): TermPricing {
    const { customer, organization } = this.history;
    return { offer, zone: customer.timezone, prorationBasis: organization.proration_basis };
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
    const command = { type: 'StartSuccessor', term, by, predecessor, cause: ORG } as const;
    this.decide({ command, name, offer });
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
}
