import type { StoredMoney } from '../../kernel/money.js';
import { sumOfAdjustments } from '../accounts/domain/account-charges.js';
import type { ComputedInvoice, VoidedInvoice } from '../accounts/domain/event-data.js';

/** Compares what a void leaves owed with what its invoice had charged. @returns sentences */
export function differencesOfVoid(voided: VoidedInvoice, computed: ComputedInvoice): string[] {
  const { number, charges, drawdowns, terms } = voided;
  const differences: string[] = [];
  if (totalsOf(drawdowns) !== totalsOf(computed.drawdowns)) {
    differences.push(`${number} was voided and gave other amounts to credits than it had drawn`);
  }
  if (sumsOf(charges.map(amountsOf)) !== sumsOf(chargesOf(computed))) {
    differences.push(`${number} was voided and takes back other amounts than it had charged`);
  }
  const due = terms.filter(({ nextDueAt, settled }) => nextDueAt !== null && !settled);
  const owing = [...computed.lines, ...terms].flatMap(({ subscriptionId }) => subscriptionId ?? []);
  for (const term of new Set(owing)) {
    if (due.some(({ subscriptionId }) => subscriptionId === term)) continue;
    differences.push(`term ${term} is not due again after invoice ${number} was voided`);
  }
  return differences;
}

const totalsOf = (drawn: ComputedInvoice['drawdowns']): string =>
  drawn
    .map(({ creditId, amount }) => `${creditId} ${amount.amount}`)
    .sort()
    .join();

/** A charge key with its base, price adjustments and tax, in minor units. */
type Charge = readonly [key: string, base: bigint, adjustments: bigint, tax: bigint];

const minor = ({ amount }: StoredMoney): bigint => BigInt(amount);

const amountsOf = ({ chargeKey, base, adjustments, tax }: VoidedInvoice['charges'][number]): Charge => [
  chargeKey,
  minor(base),
  minor(adjustments),
  minor(tax),
];

/** Lists what the lines of an invoice charge, without those that settle it. */
const chargesOf = ({ lines }: ComputedInvoice): Charge[] =>
  lines
    .filter(({ subscriptionId }) => subscriptionId !== null)
    .map((line) => [
      line.chargeKey,
      minor(line.base),
      sumOfAdjustments('plan_adjustment', line),
      sumOfAdjustments('sales_tax', line),
    ]);

/** Writes the sums per charge key in one way: an older void has one sum for all tax rates of a key. */
function sumsOf(charges: readonly Charge[]): string {
  const sums = new Map<string, Charge>();
  for (const [key, ...amounts] of charges) {
    const [, base, adjustments, tax] = sums.get(key) ?? [key, 0n, 0n, 0n];
    sums.set(key, [key, base + amounts[0], adjustments + amounts[1], tax + amounts[2]]);
  }
  return [...sums.values()]
    .map((sum) => sum.join(' '))
    .sort()
    .join();
}
