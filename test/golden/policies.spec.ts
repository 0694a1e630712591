import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fromStored, isZeroMoney, toDecimal } from '../../src/kernel/money.js';
import { FORMER_RULES, withFormerRule, type Rule } from '../support/former-rule.js';
import { examplesOf } from './doc-examples.js';
import { Scenario } from './scenario.js';
import type { ScenarioModel } from './scenario-model.js';

const DOC = readFileSync(path.resolve(import.meta.dirname, '../../docs/billing.md'), 'utf8');
const examples = new Map(examplesOf(DOC).map(({ name, content }) => [name, content as ScenarioModel]));

/** Rows of the tables under Policies. */
const rows = [
  ...DOC.matchAll(/^\| ([^|]+?) +\| \[([\w ]+ #\d)\]\(#[\w-]+\) +\| ([^|]+?) +\| ([^|]+?) +\|$/gm),
].map(([, rule, example, before, after]) => ({
  rule: rule!,
  before: before!,
  after: after!,
  model: examples.get(example!)!,
}));

/** Amounts of the lines of the last step, without lines of 0. */
function linesOf(model: ScenarioModel): string {
  const scenario = new Scenario(model);
  const issued = model.steps.map((step) => scenario.take(step)).at(-1)!;
  const amounts = issued.flatMap(({ lines }) => lines.map(({ amount }) => fromStored(amount)));
  const shown = amounts.filter((amount) => !isZeroMoney(amount)).map(toDecimal);
  return shown.length > 0 ? shown.join(', ') : 'none';
}

/** Returns `linesOf` with one rule replaced by that of the first policy. Both tests need those of all rules and rows. */
async function linesWithFormer(rule: Rule, model: ScenarioModel): Promise<string> {
  const known = computed.get(rule) ?? new Map<ScenarioModel, string>();
  computed.set(rule, known);
  const lines = known.get(model) ?? (await withFormerRule(rule, () => linesOf(model)));
  known.set(model, lines);
  return lines;
}
const computed = new Map<Rule, Map<ScenarioModel, string>>();

describe('docs/billing.md#policies', () => {
  it.each(rows)('$rule: $before, then $after', async ({ model, before, after }) => {
    expect(linesOf(model)).toBe(after);
    const found: string[] = [];
    for (const rule of FORMER_RULES) found.push(await linesWithFormer(rule, model));
    // One rule alone makes the difference.
    expect(found.filter((amounts) => amounts !== after)).toEqual([before]);
  });

  it('shows every rule that a former policy had', async () => {
    const shown: string[] = [];
    for (const rule of FORMER_RULES) {
      for (const row of rows)
        if ((await linesWithFormer(rule, row.model)) !== row.after) shown.push(row.rule);
    }
    expect(shown.sort()).toEqual(rows.map(({ rule }) => rule).sort());
  });
});
