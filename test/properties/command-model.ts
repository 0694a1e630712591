import type { ComputedInvoice, CreditGrant } from '../../src/billing/accounts/domain/event-data.js';
import type { RunResult } from '../../src/billing/accounts/domain/run-result.js';
import { namedId } from '../../src/kernel/ids.js';
import type { Instant } from '../../src/kernel/instant.js';
import type { SubscriptionEvent } from '../../src/subscription/domain/events.js';
import type { TermCommand } from '../../src/subscription/domain/term-decider.js';
import { CUSTOMER, NO_TAX } from '../support/builders/billing.js';
import { PureAccount } from '../support/pure-account.js';
import { costOf } from './billing-oracle.js';
import { daysAfter, hoursBefore, type Act, type CommandHistory } from './command-arbitraries.js';
import { SubscriptionModel } from './subscription-model.js';
import { costOfSwitched } from './switch-oracle.js';

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** Account whose terms are changed by commands. A run follows each command that is invoiced at once. */
export class CommandModel {
  readonly subscriptionModel: SubscriptionModel;
  readonly account: PureAccount;
  readonly voided = new Set<string>();
  private paid = 0n;
  private granted = 0n;

  constructor(private readonly history: CommandHistory) {
    const { terms, addons, plans, renewals, usage, taxRate } = history;
    const organization = { settings: { ...NO_TAX, taxRate }, revision: '0' };
    this.subscriptionModel = new SubscriptionModel(terms, addons, plans, renewals);
    this.account = new PureAccount(terms, usage, { organization });
  }

  /** Takes an act and returns the result of the run that it causes, if any. */
  take(act: Act): RunResult | undefined {
    this.subscriptionModel.close(act.at);
    switch (act.kind) {
      case 'run':
        return this.run(act.at);
      case 'pay':
        this.pay(act.at);
        break;
      case 'void':
        this.void(act.invoice, act.at);
        break;
      case 'grant':
        this.grant(act);
        break;
      case 'use':
        this.account.usage.push({ ...act, at: hoursBefore(act.at, act.hoursAgo) });
        break;
      default: {
        const events = this.subscriptionModel.do(this.placeOf(act), this.commandOf(act), act.at);
        if (events?.some(isBilledAtOnce)) return this.run(act.at);
      }
    }
    return undefined;
  }

  /** Decides every boundary up to `asOf` and runs billing. */
  run(asOf: Instant): RunResult {
    this.subscriptionModel.close(asOf);
    this.account.terms = this.subscriptionModel.members();
    return this.account.run(asOf);
  }

  /** Invoices that are not voided. */
  get invoices(): ComputedInvoice[] {
    return this.account.events
      .flatMap((event) => (event.type === 'InvoiceComputed' ? [event.data] : []))
      .filter(({ invoiceId }) => !this.voided.has(invoiceId));
  }

  /** Returns the subscriptions whose billed amount differs from the cost by the oracle. */
  unconserved(): { readonly ids: readonly string[]; readonly billed: bigint; readonly cost: bigint }[] {
    const { usage } = this.account;
    const costs = this.subscriptionModel.subscriptions().flatMap(({ terms, addons }) => [
      ...addons.map((addon) => ({
        ids: [addon.addon!.addonSubscriptionId],
        cost: costOf(addon, usage).base,
      })),
      // The oracle does not know how much transferred usage an intermediate invoice had billed.
      ...(terms.length > 1 && terms.at(-1)!.cancelled?.usage === 'bill_none'
        ? []
        : [{ ids: terms.map(({ term }) => term.subscriptionId), cost: costOfSwitched(terms, usage) }]),
    ]);
    const lines = this.invoices.flatMap((invoice) => invoice.lines);
    return costs
      .map(({ ids, cost }) => {
        const own = lines.filter(
          ({ chargeKey, subscriptionId }) =>
            subscriptionId && ids.some((id) => chargeKey.startsWith(`${id}/`)),
        );
        return { ids, cost, billed: sum(own.map(({ base }) => BigInt(base.amount))) };
      })
      .filter(({ cost, billed }) => cost !== billed);
  }

  /**
   * Returns the balance of all credits, and the sum of payments and granted credits. The reversal of an
   * unpaid charge grants no credit; what had reduced a voided invoice becomes one, for the charges that
   * replace it.
   */
  spendable(): { readonly held: bigint; readonly received: bigint } {
    const { state, log } = this.account;
    const granted = log.flatMap((event) =>
      event.type === 'CreditGranted' ? [event.data.amount.amount] : [],
    );
    return {
      held: sum([...state.credits.values()].map(({ remaining }) => remaining)),
      received: this.paid + sum(granted.map(BigInt)),
    };
  }

  /**
   * Returns two amounts that must be equal: what is due less the credits held, and what was charged less
   * payments and grants. `below` lists negative credits and negative amounts due.
   */
  balance(): { readonly open: bigint; readonly charged: bigint; readonly below: readonly bigint[] } {
    const { credits, invoices } = this.account.fullState;
    const held = [...credits.values()].map(({ remaining }) => remaining);
    const due = [...invoices.values()].map(({ costDue }) => costDue);
    const charged = this.invoices
      .flatMap(({ lines }) => lines)
      .filter(({ subscriptionId }) => subscriptionId !== null)
      .map(({ amount }) => BigInt(amount.amount));
    return {
      open: sum(due) - sum(held),
      charged: sum(charged) - this.paid - this.granted,
      below: [...held, ...due].filter((amount) => amount < 0n),
    };
  }

  private commandOf(act: Exclude<Act, { kind: 'run' | 'pay' | 'void' | 'grant' | 'use' }>): TermCommand {
    switch (act.kind) {
      case 'cancel':
        return { type: 'CancelSubscription', terms: act.terms };
      case 'change-end': {
        const { days, turnOffAutoRenew } = act;
        const end = days === null ? {} : { end: daysAfter(act.at, days) };
        return { type: 'ChangeTerm', changes: { turnOffAutoRenew, ...end } };
      }
      case 'switch':
        return {
          type: 'SwitchPlan',
          terms: act.terms,
          prepaidUnits: [],
          to: this.subscriptionModel.switchTo(this.placeOf(act), act.plan),
        };
      case 'units':
        return { type: 'ChangePrepaidUnits', change: act };
      case 'attach':
        return { type: 'AttachAddon', ...this.subscriptionModel.attachment(act.addon, act.quantity) };
      case 'cancel-addon':
        return { type: 'CancelAddon', named: this.subscriptionModel.addonIdOf(act.addon), terms: act.terms };
    }
  }

  private placeOf({ term }: Act): number {
    return term % this.history.terms.length;
  }

  private open() {
    return [...this.account.fullState.invoices.values()].filter(({ status }) => status === 'unpaid');
  }

  private pay(paidAt: Instant): void {
    for (const { invoiceId, costDue } of this.open()) {
      const amount = { amount: costDue.toString(), currency: 'USD', scale: 2 };
      this.account.happened({ type: 'InvoicePaid', data: { invoiceId, amount, paidAt } });
      this.paid += costDue;
    }
  }

  private grant({ at, cents, days }: Extract<Act, { kind: 'grant' }>): void {
    const credit: CreditGrant = {
      creditId: namedId(`credit ${at}`),
      customerKey: CUSTOMER,
      currency: 'USD',
      description: null,
      amount: { amount: String(cents), currency: 'USD', scale: 2 },
      effectiveAt: at,
      expiresAt: days === null ? null : daysAfter(at, days),
      grantedAt: at,
      purchase: null,
    };
    this.account.happened({ type: 'CreditGranted', data: credit });
    this.granted += BigInt(cents);
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
  if (
    event.type === 'SubscriptionCancelled' ||
    event.type === 'SubscriptionSwitched' ||
    event.type === 'AddonCancelled'
  )
    return event.data.invoicing === 'invoice_now';
  return event.type === 'AddonAttached' || (event.type === 'PrepaidUnitsChanged' && event.data.invoiceNow);
}
