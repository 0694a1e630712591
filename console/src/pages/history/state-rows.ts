import type { Credit } from '../../../../clients/typescript/src/index.js';
import { formatAmount } from '../../shared/amount.js';
import { amountsDueOf } from '../../shared/amounts-due.js';
import { sumExactly } from '../../shared/exact-sum.js';
import { formatDayOf } from '../../shared/instant.js';
import { formatPeriod } from '../../shared/period.js';
import { nameOfTerm } from '../../shared/subscription-filters.js';
import type { PastState } from './use-past.js';

export interface StateRow {
  readonly name: string;
  /** Shown value; undefined: none. */
  readonly before: string | undefined;
  readonly then: string | undefined;
}

export interface StateGroup {
  readonly title: string;
  readonly rows: readonly StateRow[];
  /** Text when there is no value at either time. */
  readonly none: string;
}

/** Values at one time, each with name and text, by id. */
type Things = ReadonlyMap<string, { readonly name: string; readonly words: string }>;

const NOTHING: Things = new Map();

/** Pairs the former values with the present ones: a row for each value that exists at either time. */
function compare(before: Things | undefined, then: Things): StateRow[] {
  const ids = new Set([...then.keys(), ...(before ?? NOTHING).keys()]);
  return [...ids].map((id) => ({
    name: (then.get(id) ?? before!.get(id)!).name,
    before: before?.get(id)?.words,
    then: then.get(id)?.words,
  }));
}

/** Describes a state in sentences, group by group. */
export function groupsOf(
  before: PastState | null | undefined,
  then: PastState | null,
  zone: string,
): readonly StateGroup[] {
  const group = (title: string, none: string, things: (state: PastState) => Things): StateGroup => ({
    title,
    none,
    rows: compare(before ? things(before) : undefined, then ? things(then) : NOTHING),
  });
  return [
    group('Subscriptions', 'No active subscriptions.', (state) => subscriptions(state, zone)),
    group('Features', 'No features.', features),
    {
      title: 'Credit balance',
      none: 'No balance.',
      rows: balanceRows(before, then),
    },
    group('Credits', 'No credits.', (state) => credits(state, zone)),
    group('Amount due', 'Nothing is due.', debts),
  ];
}

const subscriptions = (state: PastState, zone: string): Things =>
  new Map(
    state.subscriptions.map((one) => {
      const { billing_plan: plan, addons, auto_renew: renews } = one;
      const days = formatPeriod(one, zone).join(' – ');
      const words = [
        `version ${plan.version}`,
        days,
        renews ? 'renews' : 'ends',
        ...addons.map(({ addon }) => `with ${addon.addon_name}`),
      ];
      return [one.subscription_id, { name: nameOfTerm(one), words: words.join(', ') }];
    }),
  );

const features = (state: PastState): Things =>
  new Map(
    state.features.map(({ feature: { feature_id: id, feature_name: name }, access }) => [
      id,
      { name, words: access ? 'granted' : 'not granted by every subscription' },
    ]),
  );

/** Sums what is left by currency. A currency of either time has a row, with 0 where nothing is left. */
function balanceRows(before: PastState | null | undefined, then: PastState | null): StateRow[] {
  const codes = new Set(
    [...(before?.credits ?? []), ...(then?.credits ?? [])].map(({ currency }) => currency.code),
  );
  return [...codes].map((code) => ({
    name: `Remaining in ${code}`,
    before: before ? leftIn(before, code) : undefined,
    then: then ? leftIn(then, code) : undefined,
  }));
}

function leftIn({ credits: all }: PastState, code: string): string {
  const left = all
    .filter(({ currency }) => currency.code === code)
    .map(({ amount_remaining: amount }) => amount);
  return formatAmount(sumExactly(left), code);
}

const credits = (state: PastState, zone: string): Things =>
  new Map(
    state.credits.map((credit) => [
      credit.credit_id,
      { name: credit.description ?? 'Credit', words: creditText(credit, zone) },
    ]),
  );

function creditText(credit: Credit, zone: string): string {
  const { amount, amount_remaining: left, currency, expires_at: end } = credit;
  const until = end === null ? '' : `, until ${formatDayOf(end, zone)}`;
  return `${formatAmount(left, currency.code)} of ${formatAmount(amount, currency.code)}${until}`;
}

function debts({ customer }: PastState): Things {
  const open = customer.invoices.filter(({ payment_status: status }) => status === 'unpaid');
  const things = new Map<string, { readonly name: string; readonly words: string }>();
  const totals = amountsDueOf(customer).filter(({ amount }) => amount !== 0);
  for (const { code, amount } of totals)
    things.set(code, {
      name: totals.length === 1 ? 'Total' : `Total in ${code}`,
      words: formatAmount(amount, code),
    });
  for (const { invoice_id: id, invoice_number: number, cost_due: due, currency } of open)
    things.set(id, { name: `Invoice ${number ?? id}`, words: formatAmount(due, currency.code) });
  return things;
}
