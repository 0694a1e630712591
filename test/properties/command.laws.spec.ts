import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ComputedInvoice, TermStanding } from '../../src/billing/domain/events.js';
import type { RunResult } from '../../src/billing/domain/run-result.js';
import { verifyInvoice } from '../../src/billing/rating/verify.js';
import { MINUTE, plusMicros } from '../../src/kernel/instant.js';
import type { Instant } from '../../src/kernel/instant.js';
import type { SubscriptionEvent } from '../../src/subscription/domain/events.js';
import type { SubscriptionCommand } from '../../src/subscription/domain/subscription.js';
import { NO_TAX } from '../support/builders/billing.js';
import { tries } from '../support/law-runs.js';
import { PureAccount } from '../support/pure-account.js';
import { AT_LAST } from './billing-arbitraries.js';
import { costOf } from './billing-oracle.js';
import {
  commandHistories,
  daysAfter,
  hoursBefore,
  type Act,
  type CommandHistory,
} from './command-arbitraries.js';
import { CommandDesk } from './command-desk.js';

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** One account whose terms are changed by commands; a command that is invoiced at once is followed by a run. */
class Story {
  readonly desk: CommandDesk;
  readonly account: PureAccount;
  readonly voided = new Set<string>();
  private paid = 0n;

  constructor(private readonly history: CommandHistory) {
    const { terms, addons, usage, taxRate } = history;
    const organization = { settings: { ...NO_TAX, taxRate }, revision: '0' };
    this.desk = new CommandDesk(terms, addons);
    this.account = new PureAccount(terms, usage, { organization });
  }

  take(act: Act): void {
    switch (act.kind) {
      case 'run':
        return void this.run(act.at);
      case 'pay':
        return this.pay(act.at);
      case 'void':
        return this.void(act.invoice, act.at);
      case 'use':
        return void this.account.usage.push({ ...act, at: hoursBefore(act.at, act.hoursAgo) });
      default: {
        const events = this.desk.do(act.term % this.history.terms.length, this.commandOf(act), act.at);
        this.account.terms = this.desk.members();
        if (events?.some(isBilledAtOnce)) this.run(act.at);
      }
    }
  }

  run(asOf: Instant): RunResult {
    this.account.terms = this.desk.members();
    return this.account.run(asOf);
  }

  /** Invoices that stand. */
  get invoices(): ComputedInvoice[] {
    return this.account.events
      .flatMap((event) => (event.type === 'InvoiceComputed' ? [event.data] : []))
      .filter(({ invoiceId }) => !this.voided.has(invoiceId));
  }

  /** Every term and add-on costs what its plan, what was commanded and its usage say. */
  expectConserved(): void {
    const lines = this.invoices.flatMap(({ lines: all }) => all);
    for (const member of this.desk.members()) {
      const id = member.addon?.addonSubscriptionId ?? member.term.subscriptionId;
      const own = lines.filter(
        ({ chargeKey, subscriptionId }) => subscriptionId && chargeKey.startsWith(`${id}/`),
      );
      const billed = sum(own.map(({ base }) => BigInt(base.amount)));
      expect({ id, billed }).toEqual({ id, billed: costOf(member, this.account.usage).base });
    }
  }

  /** What is due and what is held come to what was charged less what was paid. */
  expectBalanced(): void {
    const { credits, invoices } = this.account.state;
    const held = [...credits.values()].map(({ remaining }) => remaining);
    const due = [...invoices.values()].map(({ costDue }) => costDue);
    for (const amount of [...held, ...due]) expect(amount >= 0n).toBe(true);
    const charged = this.invoices
      .flatMap(({ lines }) => lines)
      .filter(({ subscriptionId }) => subscriptionId !== null)
      .map(({ amount }) => BigInt(amount.amount));
    expect(sum(due) - sum(held)).toBe(sum(charged) - this.paid);
  }

  private commandOf(act: Exclude<Act, { kind: 'run' | 'pay' | 'void' | 'use' }>): SubscriptionCommand {
    switch (act.kind) {
      case 'cancel':
        return act;
      case 'move-end':
        return { kind: 'change', changes: { turnOffAutoRenew: false, end: daysAfter(act.at, act.days) } };
      case 'units':
        return { kind: 'change-prepaid-units', change: act };
      case 'attach':
        return { kind: 'attach-addon', ...this.desk.attachment(act.addon, act.quantity) };
      case 'cancel-addon':
        return { kind: 'cancel-addon', named: this.desk.addonIdOf(act.addon), terms: act.terms };
    }
  }

  private open() {
    return [...this.account.state.invoices.values()].filter(({ status }) => status === 'unpaid');
  }

  private pay(paidAt: Instant): void {
    for (const { invoiceId, costDue } of this.open()) {
      const amount = { amount: costDue.toString(), currency: 'USD', scale: 2 };
      this.account.happened({ type: 'InvoicePaid', data: { invoiceId, amount, paidAt } });
      this.paid += costDue;
    }
  }

  private void(place: number, at: Instant): void {
    const open = this.open();
    const chosen = open[place % Math.max(1, open.length)];
    if (!chosen) return;
    this.account.void(chosen.invoiceId, at);
    this.voided.add(chosen.invoiceId);
  }
}

function isBilledAtOnce(event: SubscriptionEvent): boolean {
  if (event.type === 'SubscriptionCancelled' || event.type === 'AddonCancelled')
    return event.data.invoicing === 'invoice_now';
  return event.type === 'AddonAttached' || (event.type === 'PrepaidUnitsChanged' && event.data.invoiceNow);
}

const standingsOf = (run: RunResult): readonly TermStanding[] =>
  run.kind === 'invoice' ? run.invoice.terms : run.nothing.terms;

describe('laws of billing over histories of commands (billing.md)', () => {
  it('conservation: whatever is commanded, used, voided and paid between runs, everything is charged once', () => {
    fc.assert(
      fc.property(commandHistories, (history) => {
        const story = new Story(history);
        for (const act of history.acts) story.take(act);
        story.run(AT_LAST);
        story.expectConserved();
        story.expectBalanced();
      }),
      tries(100),
    );
  });

  it('every run is repeatable and verifies, and a run right after it has nothing to bill', () => {
    fc.assert(
      fc.property(commandHistories, (history) => {
        const story = new Story(history);
        for (const act of history.acts) {
          story.take(act);
          story.account.terms = story.desk.members();
          const [preview, again] = [story.account.preview(act.at), story.account.preview(act.at)];
          expect(story.account.run(act.at)).toEqual(preview);
          if (preview.kind === 'invoice')
            expect(verifyInvoice(preview.invoice, again).differences).toEqual([]);
          const after = plusMicros(act.at, 1n);
          if (preview.kind === 'invoice')
            expect(story.account.preview(after)).toMatchObject({ kind: 'nothing', closes: [] });
          story.expectBalanced();
        }
      }),
      tries(20),
    );
  });

  it('run at commands and at the instants that runs name, everything is billed and nothing is left due', () => {
    fc.assert(
      fc.property(commandHistories, (history) => {
        const story = new Story(history);
        const names = new Map<string, TermStanding>();
        const start = history.terms.map(({ term }) => term.start).sort()[0]!;
        const note = (run: RunResult) => standingsOf(run).forEach((s) => names.set(s.subscriptionId, s));
        const nextDue = () =>
          [...names.values()]
            .flatMap((s) =>
              s.nextDueAt ? [plusMicros(s.nextDueAt, s.nextDueGraced ? 30n * MINUTE : 0n)] : [],
            )
            .sort()[0];
        note(story.run(start));
        for (const act of [...history.acts.filter(({ at }) => at > start), undefined]) {
          for (let at = nextDue(); at && at <= (act?.at ?? AT_LAST); at = nextDue()) note(story.run(at));
          if (act === undefined) break;
          story.take(act);
          // A change of a term makes it due at the earliest at the change (projection due-billing).
          note(story.run(plusMicros(act.at, 1n)));
        }
        const billed = story.invoices.length;
        story.run(AT_LAST);
        expect(story.invoices).toHaveLength(billed);
        story.expectConserved();
      }),
      tries(20),
    );
  });
});
