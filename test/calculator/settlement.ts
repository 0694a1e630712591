import { sum, type Account, type Credit, type Issued, type Priced } from './account.js';
import type { Ms } from './calendar.js';

/** A line that settles an invoice. */
export interface Settlement {
  readonly name: string;
  readonly amount: bigint;
}

/** A credit that expires first, then free before paid, then the oldest. */
export function draw(
  total: bigint,
  now: Ms,
  account: Account,
  drawdowns: { credit: Credit; amount: bigint }[],
): Settlement[] {
  const usable = account.credits
    .filter(({ effectiveAt, left }) => left > 0n && effectiveAt <= now)
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .sort((a, b) => {
      const [x, y] = [a.expiresAt ?? Number.MAX_VALUE, b.expiresAt ?? Number.MAX_VALUE];
      return x - y || Number(a.soldBy !== null) - Number(b.soldBy !== null) || a.effectiveAt - b.effectiveAt;
    });
  let left = total;
  for (const credit of usable) {
    const drawn = credit.left < left ? credit.left : left;
    if (drawn > 0n) drawdowns.push({ credit, amount: drawn });
    credit.left -= drawn;
    left -= drawn;
  }
  return left === total ? [] : [{ name: 'Applied Credit', amount: left - total }];
}

/** What was never paid is never spendable: it comes off unpaid invoices that charged it, the rest is a credit. */
export function creditBack(size: bigint, priced: readonly Priced[], now: Ms, account: Account): Settlement[] {
  const lines: Settlement[] = [];
  let left = size;
  for (const invoice of unpaidFor(priced, account)) {
    const off = invoice.costDue < left ? invoice.costDue : left;
    if (off === 0n) continue;
    invoice.costDue -= off;
    left -= off;
    lines.push({ name: `Applied to #${invoice.number}`, amount: off });
  }
  if (left === 0n) return lines;
  account.credits.push({ effectiveAt: now, expiresAt: null, soldBy: null, isVoided: false, left });
  return [...lines, { name: 'Granted Credit', amount: left }];
}

/** Newest first: invoices that charged what is given back, then those that charged what was given back to pay it. */
function unpaidFor(priced: readonly Priced[], account: Account): Set<Issued> {
  const keys = new Set(reversedKeys(priced));
  const direct = unpaidWith(keys, account);
  return new Set([
    ...direct,
    ...unpaidWith(withFundingKeys(withAdjustedPeriods(keys, priced, account), account), account),
  ]);
}

const unpaidWith = (some: ReadonlySet<string>, { invoices }: Account): Issued[] =>
  invoices.filter(({ costDue, keys }) => costDue > 0n && [...keys].some((key) => some.has(key))).reverse();

/** Keys that an invoice reverses by more than it charges. */
function reversedKeys(priced: readonly Priced[]): string[] {
  const keys = [...new Set(priced.map(({ draft }) => draft.due.key))];
  return keys.filter((key) => amountOf(key, priced) < 0n);
}

const amountOf = (key: string, priced: readonly Priced[]): bigint =>
  sum(priced.flatMap(({ draft, amount }) => (draft.due.key === key ? amount : [])));

/** An adjustment is given once for all of a period: the charge that bears its reversal need not be the one billed with it. */
function withAdjustedPeriods(
  keys: ReadonlySet<string>,
  priced: readonly Priced[],
  { charged }: Account,
): Set<string> {
  const prefixes = priced
    .filter(
      ({ draft, adjustment }) => keys.has(draft.due.key) && adjustment < 0n && draft.base + adjustment < 0n,
    )
    .map(({ draft }) => `${draft.due.key.split('/', 2).join('/')}/`);
  const others = [...charged.keys()].filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
  return new Set([...keys, ...others]);
}

function withFundingKeys(keys: ReadonlySet<string>, { nettings }: Account): Set<string> {
  const found = new Set(keys);
  for (let size = -1; size < found.size;) {
    size = found.size;
    for (const { paid, reversed: back } of nettings)
      if (paid.some((key) => found.has(key))) for (const key of back) found.add(key);
  }
  return found;
}

/** Records which charges were paid by reversals of others, as long as something of these is unpaid. */
export function net(
  priced: readonly Priced[],
  reduced: readonly Issued[],
  account: Account,
  number: number,
): void {
  const keys = new Set(reversedKeys(priced));
  const back = withAdjustedPeriods(keys, priced, account);
  const own = priced.map(({ draft }) => draft.due.key).filter((key) => amountOf(key, priced) > 0n);
  const others = reduced.flatMap((invoice) => [...invoice.keys]).filter((key) => !back.has(key));
  const paid = [...new Set([...own, ...others])];
  if (keys.size > 0 && paid.length > 0) account.nettings.push({ number, paid, reversed: [...back] });
}

/** Drops nettings whose reversed charges are all paid: they no longer keep a credit from being granted. */
export function forgetPaid(account: Account): void {
  const kept = account.nettings.filter(({ reversed: back }) =>
    isOpen(withFundingKeys(new Set(back), account), account),
  );
  account.nettings.splice(0, account.nettings.length, ...kept);
}

/** Whether something of it is unpaid, or was voided and waits to be charged again. */
const isOpen = (keys: ReadonlySet<string>, account: Account): boolean =>
  unpaidWith(keys, account).length > 0 || [...keys].some((key) => account.charged.get(key)?.isVoided);
