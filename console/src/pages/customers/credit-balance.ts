import type { Credit } from '../../../../clients/typescript/src/index.js';
import { sumExactly } from '../../shared/exact-sum.js';
import { toMicros } from '../../shared/moment.js';

/** Balance of credits in one currency, from an instant on. */
export interface Balance {
  readonly at: string;
  readonly balance: number;
}

/** Status of a credit; one that invoices have drawn whole is used up, where the API tells only that it is inactive. */
export const statusOf = ({ status, amount, drawdowns }: Credit): string =>
  sumExactly([amount, ...drawdowns.map((one) => one.amount)]) === 0 ? 'used up' : status;

interface Change {
  readonly at: string;
  readonly amount: number;
}

/** Records the loss of the remainder when the credit expired or was voided. */
function changesOf(credit: Credit, voidedAt: ReadonlyMap<string, string>): Change[] {
  const { amount, amount_remaining: left, drawdowns, credit_id: id, expires_at: expiry } = credit;
  const taken = drawdowns.map(({ applied_at: at, amount: one }) => ({ at, amount: one }));
  const gone = -sumExactly([amount, ...taken.map((one) => one.amount), -left]);
  const end = voidedAt.get(id) ?? expiry;
  return [
    { at: credit.effective_at, amount },
    ...taken,
    ...(gone === 0 || end === null ? [] : [{ at: end, amount: gone }]),
  ];
}

/**
 * Returns the balance after each change, in the order of time.
 * @param voidedAt time of void by credit id
 */
export function balancesOf(
  credits: readonly Credit[],
  voidedAt: ReadonlyMap<string, string>,
): readonly Balance[] {
  const changes = credits
    .flatMap((credit) => changesOf(credit, voidedAt))
    .sort((a, b) => Number(toMicros(a.at)! - toMicros(b.at)!));
  const balances: Balance[] = [];
  for (const { at, amount } of changes) {
    const before = balances.at(-1);
    if (before?.at === at) balances.pop();
    balances.push({ at, balance: sumExactly([before?.balance ?? 0, amount]) });
  }
  return balances;
}
