import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fromStored, isZeroMoney, toDecimal } from '../../src/kernel/money.js';
import { FORMER_RULES, withFormerRule } from '../support/former-rule.js';
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

describe('docs/billing.md#policies', () => {
  it.each(rows)('$rule: $before, then $after', async ({ model, before, after }) => {
    expect(linesOf(model)).toBe(after);
    const found: string[] = [];
    for (const rule of FORMER_RULES) found.push(await withFormerRule(rule, () => linesOf(model)));
    // One rule alone makes the difference.
    expect(found.filter((amounts) => amounts !== after)).toEqual([before]);
  });

  it('shows every rule that a former policy had', async () => {
    const shown: string[] = [];
    for (const rule of FORMER_RULES) {
      const differing = await withFormerRule(rule, () =>
        rows.filter(({ model, after }) => linesOf(model) !== after),
      );
      shown.push(...differing.map((row) => row.rule));
    }
    expect(shown.sort()).toEqual(rows.map(({ rule }) => rule).sort());
  });
});
