import {
  FIRST_PRICING_POLICY,
  PRICING_POLICY,
  pricingPolicyOf,
  type PricingPolicy,
} from '../../src/pricing/pricing-policy.js';

export interface Rule {
  readonly part: keyof PricingPolicy;
  readonly name: string;
}

/** Every rule whose form in the first policy differs from the current one. */
export const FORMER_RULES: readonly Rule[] = (['term', 'invoice'] as const).flatMap((part) =>
  Object.keys(pricingPolicyOf(FIRST_PRICING_POLICY)[part]).map((name) => ({ part, name })),
);

/** First policy whose books meet a rule; all books meet the other rules. */
const MET_SINCE: Readonly<Record<string, string>> = {
  adjustmentNeedsLine: '2026-2',
  reductionCarriesAdjustment: '2026-2',
  endSettles: '2026-2',
  reversalBearsTaxOfItsCharge: '2026-3',
  // Terms of earlier policies do not have what these rules depend on.
  renewalCountsUsedDay: '2026-3',
  roundsUnitsAndAddonsSeparately: '2026-3',
  unchargedUnitsCover: '2026-4',
  ordersByAllNames: '2026-4',
  renewalCountsWholeFirstDay: '2026-4',
  cancellationCutsEndedWindows: '2026-5',
  separateUsageCutsAddonRates: '2026-5',
  windowsNeedBoundary: '2026-5',
  boundariesMoveWithZone: '2026-5',
  switchForgetsFirstFull: '2026-5',
};

/** Returns the rules that some books of a policy meet. */
export const rulesMetBy = (policy: string): readonly Rule[] =>
  FORMER_RULES.filter(({ name }) => policy >= (MET_SINCE[name] ?? FIRST_PRICING_POLICY));

const rulesOf = (policy: string, part: Rule['part']) =>
  pricingPolicyOf(policy)[part] as unknown as Record<string, unknown>;

/** Runs `work` with one rule of a policy replaced by its other form. */
export async function withOtherRule<Result>(
  { part, name }: Rule,
  policy: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const rules = rulesOf(policy, part);
  const original = rules[name];
  rules[name] = [FIRST_PRICING_POLICY, PRICING_POLICY]
    .map((other) => rulesOf(other, part)[name])
    .find((form) => form !== original);
  try {
    return await work();
  } finally {
    rules[name] = original;
  }
}

/** Runs `work` with one rule of the current policy replaced by that of the first policy. */
export const withFormerRule = <Result>(rule: Rule, work: () => Result | Promise<Result>): Promise<Result> =>
  withOtherRule(rule, PRICING_POLICY, work);
