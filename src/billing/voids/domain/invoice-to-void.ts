import type { Uuid } from '../../../kernel/ids.js';
import { groupBy } from '../../../kernel/iteration.js';
import { money, toStored } from '../../../kernel/money.js';
import { exactText, readExactText, subtract } from '../../../kernel/quantity.js';
import {
  sumOfAdjustments,
  snapshotOfCharge,
  chargedQuantity,
  ChargeKey,
} from '../../accounts/domain/account-charges.js';
import {
  accountRevision,
  initialAccount,
  type AccountState,
  snapshotOfInvoice,
} from '../../accounts/domain/account-state.js';
import type { AccountEvent } from '../../accounts/domain/events.js';
import type { ChargedAmount, ComputedInvoice, InvoiceLine } from '../../accounts/domain/event-data.js';
import type { InvoiceToVoid } from './void-invoice.js';

/** An account with one of its computed invoices and what that charged. */
export interface InvoiceRecord {
  readonly state: AccountState;
  readonly invoice: ComputedInvoice | undefined;
  readonly charges: readonly ChargedAmount[];
  /** The term of each add-on, by its `addonSubscriptionId`: the latest one, as a switch moves add-ons. */
  readonly termOfAddon: ReadonlyMap<Uuid, Uuid>;
}

/** The part of the account's decider that folds events. */
type Evolve = (state: AccountState, event: AccountEvent) => AccountState;

export const invoiceFold = (invoiceId: Uuid, evolve: Evolve) => ({
  initial: (): InvoiceRecord => ({
    state: initialAccount(),
    invoice: undefined,
    charges: [],
    termOfAddon: new Map(),
  }),
  evolve: (record: InvoiceRecord, event: AccountEvent): InvoiceRecord => {
    const state = evolve(record.state, event);
    const termOfAddon = withAddonTerms(record.termOfAddon, event);
    if (event.type !== 'InvoiceComputed' || event.data.invoiceId !== invoiceId)
      return { ...record, state, termOfAddon };
    return { state, invoice: event.data, charges: chargesOf(event.data, record.state), termOfAddon };
  },
});

function withAddonTerms(
  known: InvoiceRecord['termOfAddon'],
  { data }: AccountEvent,
): InvoiceRecord['termOfAddon'] {
  const seen = ('terms' in data ? data.terms : []).flatMap(({ subscriptionId, addons = [] }) =>
    addons.map(({ addonSubscriptionId }) => [addonSubscriptionId, subscriptionId] as const),
  );
  return seen.length === 0 ? known : new Map([...known, ...seen]);
}

/** Lists the terms that the invoice charged and the terms that now hold its add-ons. */
function chargedTerms({ invoice, termOfAddon }: InvoiceRecord): Uuid[] {
  const lines = invoice?.lines ?? [];
  const charged = lines.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  const moved = lines.flatMap(({ addon }) => (addon && termOfAddon.get(addon.addonSubscriptionId)) ?? []);
  return [...new Set([...charged, ...moved])];
}

/** Sums what an invoice charged, per charge key and tax rate. @param before the account that it was computed on */
function chargesOf({ lines, currency }: ComputedInvoice, before: AccountState): ChargedAmount[] {
  const counted = new Set<string>();
  const byRate = groupBy(
    lines.filter(({ subscriptionId }) => subscriptionId !== null),
    ({ chargeKey, explanation }) => `${chargeKey} ${explanation.taxRate}`,
  );
  const total = (of: readonly InvoiceLine[], amount: (line: InvoiceLine) => bigint) =>
    toStored(
      money(
        of.map(amount).reduce((a, b) => a + b, 0n),
        currency,
      ),
    );
  return [...byRate.values()].map((of) => {
    const { chargeKey, explanation } = of[0]!;
    const quantity = counted.has(chargeKey) ? '0' : countedBy(of, before);
    counted.add(chargeKey);
    return {
      chargeKey,
      quantity,
      taxRate: explanation.taxRate ?? null,
      base: total(of, ({ base }) => BigInt(base.amount)),
      adjustments: total(of, (line) => sumOfAdjustments('plan_adjustment', line)),
      tax: total(of, (line) => sumOfAdjustments('sales_tax', line)),
    };
  });
}

/** Returns the quantity that a run counted for a window; the first line of the window has all of it. */
function countedBy(lines: readonly InvoiceLine[], { billed, counts }: AccountState): string {
  const { chargeKey, explanation } = lines[0]!;
  const count = counts.get(chargeKey);
  if (explanation.closeId === undefined || !count) return '0';
  return exactText(subtract(readExactText(count.quantity), chargedQuantity(billed.get(chargeKey))));
}

/** Lists settled terms that the invoice charged: the account has dropped their charges. */
export const settledTermsOf = (record: InvoiceRecord): Uuid[] => {
  const invoiced = (record.invoice?.terms ?? []).map(({ subscriptionId }) => subscriptionId);
  return [...new Set([...invoiced, ...chargedTerms(record)])].filter((id) => record.state.settled.has(id));
};

/**
 * Folds an account as if no term had been settled: it keeps every charge.
 * @param evolveFullHistory folds the full history, snapshots left out
 */
export const foldKeepingSettledTerms = (evolveFullHistory: Evolve) => ({
  initial: initialAccount,
  evolve: (state: AccountState, event: AccountEvent) => evolveFullHistory(state, unsettled(event)),
});

function unsettled(event: AccountEvent): AccountEvent {
  if (!('terms' in event.data)) return event;
  const terms = event.data.terms.map((billingStatus) => ({ ...billingStatus, settled: false }));
  return { ...event, data: { ...event.data, terms } } as AccountEvent;
}

/**
 * Collects what voiding an invoice needs.
 * @param fullHistory the account with the charges of settled terms
 */
export function invoiceToVoid(
  record: InvoiceRecord,
  settled: readonly Uuid[],
  fullHistory: AccountState,
): Omit<InvoiceToVoid, 'termEnds' | 'rebill'> {
  const { state, invoice, charges } = record;
  const { currency } = invoice!;
  const statuses = settled.map((id) => fullHistory.terms.get(id)!);
  const addons = statuses.flatMap((billingStatus) => billingStatus.addons ?? []);
  // An add-on that ended before its term has no billing status any more: the invoice's charges name it.
  const ownersMissingInState = charges.flatMap(({ chargeKey }) =>
    state.billed.has(chargeKey) ? [] : [ChargeKey.parse(chargeKey).owner],
  );
  const owners = new Set([
    ...settled,
    ...addons.map((addon) => addon.addonSubscriptionId),
    ...ownersMissingInState,
  ]);
  const belongsToOwner = ([chargeKey]: readonly [string, unknown]) =>
    owners.has(ChargeKey.parse(chargeKey).owner);
  const invoices = [...fullHistory.invoices.values()].filter(
    ({ invoiceId, status, chargeKeys }) =>
      status === 'unpaid' &&
      invoiceId !== invoice!.invoiceId &&
      !state.invoices.has(invoiceId) &&
      [...chargeKeys].some((key) => belongsToOwner([key, undefined])),
  );
  return {
    invoice: invoice!,
    charges,
    accountRevision: accountRevision(state),
    charged: chargedTerms(record),
    settled: statuses,
    recalled: {
      charges: [...fullHistory.billed]
        .filter(belongsToOwner)
        .map(([key, charge]) => snapshotOfCharge(key, charge, currency)),
      closes: [...fullHistory.counts]
        .filter(belongsToOwner)
        .map(([chargeKey, count]) => ({ chargeKey, ...count })),
      ...(invoices.length > 0 && { invoices: invoices.map((one) => snapshotOfInvoice(one, currency)) }),
    },
  };
}
