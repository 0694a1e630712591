import { sum, type Account, type Credit, type Issued, type Priced } from './account.js';
import type { Ms } from './calendar.js';

/** A line that settles an invoice. */
export interface Settlement {
  readonly name: string;
  readonly amount: bigint;
}

/** Draws credits: those that expire first, then free before sold ones, then the oldest. */
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

/**
 * Settles a negative total: reduces unpaid invoices with the reversed charges, and grants the rest as a credit. An
 * amount that was never paid must not become spendable.
 */
export function creditBack(size: bigint, priced: readonly Priced[], now: Ms, account: Account): Settlement[] {
  const lines: Settlement[] = [];
  let left = size;
  for (const invoice of unpaidFor(priced, account)) {
    const reduction = invoice.costDue < left ? invoice.costDue : left;
    if (reduction === 0n) continue;
    invoice.costDue -= reduction;
    left -= reduction;
    lines.push({ name: `Applied to #${invoice.number}`, amount: reduction });
  }
  if (left === 0n) return lines;
  account.grantFreeCredit(left, now);
  return [...lines, { name: 'Granted Credit', amount: left }];
}

/**
 * Returns unpaid invoices, newest first: those with the reversed charges, then those whose charges the reversed ones
 * were netted against.
 */
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

/** Returns the keys whose reversals exceed their charges on the invoice. */
function reversedKeys(priced: readonly Priced[]): string[] {
  const keys = [...new Set(priced.map(({ draft }) => draft.due.key))];
  return keys.filter((key) => amountOf(key, priced) < 0n);
}

const amountOf = (key: string, priced: readonly Priced[]): bigint =>
  sum(priced.flatMap(({ draft, amount }) => (draft.due.key === key ? amount : [])));

/**
 * Adds all charges of the periods whose adjustment is reversed. An adjustment is shared by the whole period, so its
 * reversal may stand on another charge than the one billed with it.
 */
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
    for (const { paid, reversed } of nettings)
      if (paid.some((key) => found.has(key))) for (const key of reversed) found.add(key);
  }
  return found;
}

/** Records which charges were netted against reversals, while any of the reversed charges is unpaid. */
export function recordNetting(
  priced: readonly Priced[],
  reduced: readonly Issued[],
  account: Account,
  number: number,
): void {
  const keys = new Set(reversedKeys(priced));
  const reversed = withAdjustedPeriods(keys, priced, account);
  const own = priced.map(({ draft }) => draft.due.key).filter((key) => amountOf(key, priced) > 0n);
  const others = reduced.flatMap((invoice) => [...invoice.keys]).filter((key) => !reversed.has(key));
  const paid = [...new Set([...own, ...others])];
  if (keys.size > 0 && paid.length > 0) account.nettings.push({ number, paid, reversed: [...reversed] });
}

/** Drops nettings whose reversed charges are all paid: they no longer hold back a credit. */
export function dropPaidNettings(account: Account): void {
  const kept = account.nettings.filter(({ reversed }) =>
    isOpen(withFundingKeys(new Set(reversed), account), account),
  );
  account.nettings.splice(0, account.nettings.length, ...kept);
}

/** Tells whether one of the charges is unpaid, or voided and not charged again yet. */
const isOpen = (keys: ReadonlySet<string>, account: Account): boolean =>
  unpaidWith(keys, account).length > 0 || [...keys].some((key) => account.charged.get(key)?.isVoided);
