import { FIRST_POLICY, POLICY, policyOf, type PricingPolicy } from '../../src/pricing/policy.js';

export interface Rule {
  readonly part: keyof PricingPolicy;
  readonly name: string;
}

/** Every rule whose form in the first policy differs from the current one. */
export const FORMER_RULES: readonly Rule[] = (['term', 'invoice'] as const).flatMap((part) =>
  Object.keys(policyOf(FIRST_POLICY)[part]).map((name) => ({ part, name })),
);

/** Runs `work` with one rule of a policy replaced by that of another policy. */
export async function withRuleOf<Result>(
  { part, name }: Rule,
  { policy, from }: { readonly policy: string; readonly from: string },
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const rules = policyOf(policy)[part] as unknown as Record<string, unknown>;
  const original = rules[name];
  rules[name] = (policyOf(from)[part] as unknown as Record<string, unknown>)[name];
  try {
    return await work();
  } finally {
    rules[name] = original;
  }
}

/** Runs `work` with one rule of the current policy replaced by that of the first policy. */
export const withFormerRule = <Result>(rule: Rule, work: () => Result | Promise<Result>): Promise<Result> =>
  withRuleOf(rule, { policy: POLICY, from: FIRST_POLICY }, work);
