import { FIRST_POLICY, POLICY, policyOf, type PricingPolicy } from '../../src/pricing/policy.js';

/** Rules of a policy by the part of it that they belong to. */
export interface Rule {
  readonly part: keyof PricingPolicy;
  readonly name: string;
}

/** Every rule that the first policy has in another form than the policy of today. */
export const FORMER_RULES: readonly Rule[] = (['term', 'invoice'] as const).flatMap((part) =>
  Object.keys(policyOf(FIRST_POLICY)[part]).map((name) => ({ part, name })),
);

/** Runs `work` while a policy has one rule as another policy has it. */
export async function withRuleOf<Result>(
  { part, name }: Rule,
  { policy, from }: { readonly policy: string; readonly from: string },
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const rules = policyOf(policy)[part] as unknown as Record<string, unknown>;
  const kept = rules[name];
  rules[name] = (policyOf(from)[part] as unknown as Record<string, unknown>)[name];
  try {
    return await work();
  } finally {
    rules[name] = kept;
  }
}

/** Runs `work` while the policy of today has one rule as the first policy has it. */
export const withFormerRule = <Result>(rule: Rule, work: () => Result | Promise<Result>): Promise<Result> =>
  withRuleOf(rule, { policy: POLICY, from: FIRST_POLICY }, work);
