import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { checkTiers, priceByTiers } from '../../src/pricing/tiers.js';
import { fromExact, toDecimal } from '../../src/kernel/money.js';
import { quantity } from '../../src/kernel/quantity.js';
import { proveScenario } from './prove-scenario.js';
import { examplesOf, type TierTable } from './doc-examples.js';
import { tierOf } from '../support/engine/engine-content.js';

const DOC = path.resolve(import.meta.dirname, '../../docs/billing.md');

function proveTiers({ tiers: wire, bulk_pricing_enabled: volume = false, amounts }: TierTable): void {
  const tiers = wire.map(tierOf);
  expect(checkTiers(tiers, volume)).toEqual([]);
  const rated = Object.keys(amounts).map(
    (q) => [q, fromExact(priceByTiers(tiers, quantity(q), volume), 'USD')] as const,
  );
  const wanted = Object.entries(amounts).map(([q, text]) => [q, toDecimal(fromExact(quantity(text), 'USD'))]);
  expect(rated.map(([q, amount]) => [q, toDecimal(amount)])).toEqual(wanted);
}

const document = readFileSync(DOC, 'utf8');

describe('docs/billing.md', () => {
  const examples = examplesOf(document);

  it.each(examples)('$name', ({ content }) => {
    if ('tiers' in content) proveTiers(content);
    else proveScenario(content);
  });

  it('every fenced block is one of these examples, and every scenario says what its invoices are', () => {
    expect(examples).toHaveLength(document.match(/^```\w/gm)!.length);
    const silent = examples.filter(
      ({ content }) => 'steps' in content && !content.steps.some((step) => step.expect),
    );
    expect(silent).toEqual([]);
  });
});
