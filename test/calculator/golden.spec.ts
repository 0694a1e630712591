import { describe, expect, it } from '@jest/globals';
import { modelsOf, type Model } from '../golden/cases.js';
import { Calculator } from './calculator.js';
import { historyOf, tierOf, type GoldenScenario, type PartialTier } from './golden-history.js';
import type { Invoice, Line } from './history.js';
import { decimal, rational, rounded, times } from './rational.js';
import { costOf } from './tiers.js';

type Scenario = GoldenScenario<Expected>;

interface Expected {
  readonly status?: number;
  readonly invoice?: null | { readonly amount: string };
  readonly nonzero_net_lines?: readonly string[];
  readonly tax?: string;
  readonly amount?: string;
  readonly credit_granted?: string;
  readonly applied_credit?: string;
  readonly credit_left?: string;
}

const total = (lines: readonly Line[], of: (line: Line) => bigint): bigint =>
  lines.reduce((sum, line) => sum + of(line), 0n);
const inOrder = (amounts: readonly bigint[]) => amounts.toSorted((a, b) => (a < b ? -1 : Number(a > b)));

function expectStep(expected: Expected, issued: readonly Invoice[], left: bigint, decimals: number): void {
  const minor = (amount: string) => rounded(times(decimal(amount), rational(10n ** BigInt(decimals))));
  if (expected.invoice === null) return expect(issued).toEqual([]);
  const { nonzero_net_lines: net, tax, amount, credit_granted: granted } = expected;
  const lines = issued.flatMap((invoice) => invoice.lines);
  const charged = lines.filter(({ quantity }) => quantity !== null);
  const nets = charged.map(({ base, plan_adjustment }) => base + plan_adjustment).filter((one) => one !== 0n);
  if (net) expect(inOrder(nets)).toEqual(inOrder(net.map(minor)));
  if (tax) expect(total(lines, ({ sales_tax }) => sales_tax)).toBe(minor(tax));
  if (amount) expect(issued.map((invoice) => invoice.amount)).toEqual([minor(amount)]);
  if (granted)
    expect(total(lines, (line) => (line.name === 'Granted Credit' ? line.credit : 0n))).toBe(minor(granted));
  if (expected.credit_left) expect(left).toBe(minor(expected.credit_left));
}

/** Tells whether no step is refused: the calculator does not know refusals. */
const isKnown = ({ steps }: Scenario): boolean => steps.every((step) => step.expect?.status !== 400);

const scenarios = modelsOf<Scenario>('scenario')
  .filter(({ model }) => isKnown(model))
  .map(({ id, model }) => ({ id, model, history: historyOf(model) }));

describe('golden cases computed by the calculator', () => {
  it.each(scenarios)('$id', ({ model, history }) => {
    const calculator = new Calculator(history);
    history.steps.forEach((step, place) => {
      const before = calculator.invoices.length;
      calculator.take(step);
      const expected = model.steps[place]!.expect;
      if (!expected) return;
      expectStep(
        expected,
        calculator.invoices.slice(before),
        calculator.creditLeft,
        history.currency.decimals,
      );
    });
  });

  it('covers most scenarios', () => {
    expect(scenarios.length).toBeGreaterThan(70);
  });

  interface Tiers extends Model {
    readonly bulk_pricing_enabled: boolean;
    readonly tiers?: readonly PartialTier[];
    readonly either_tiers?: readonly (readonly PartialTier[])[];
    readonly points: readonly (readonly [string, string])[];
  }

  it.each(modelsOf<Tiers>('rate'))('$id', ({ model }) => {
    const cents = (exact: ReturnType<typeof decimal>) => rounded(times(exact, rational(100n)));
    for (const tiers of model.either_tiers ?? [model.tiers!]) {
      const costs = model.points.map(([quantity]) =>
        cents(costOf(tiers.map(tierOf), model.bulk_pricing_enabled, decimal(quantity))),
      );
      expect(costs).toEqual(model.points.map(([, amount]) => cents(decimal(amount))));
    }
  });
});
